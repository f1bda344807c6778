package inbrowser

import (
	"errors"
	"fmt"

	"versus2048/internal/study"
	"versus2048/rules/record"
)

// errStopped ends the judging of a game.
var errStopped = errors.New("stopped")

// Judge returns the costliest moves of a game in the text form of docs/RECORDS.md, by a search: see [study.Costliest].
// It ends early when stop, which is called every thousand positions or so, reports true.
func Judge(text string, stop func() bool) ([]study.Mark, error) {
	game, err := record.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("a game to judge: %w", err)
	}
	return study.Costliest(&game, func() error {
		if stop() {
			return errStopped
		}
		return nil
	}), nil
}
