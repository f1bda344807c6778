package inbrowser

import (
	"errors"
	"fmt"

	"versus2048/internal/study"
	"versus2048/rules/record"
)

// errStopped ends the judging of a game.
var errStopped = errors.New("stopped")

// Judge returns the costliest moves of a game, as a search judges them: see [study.Costliest]. text is the game in the
// text form of docs/RECORDS.md. Judge returns an error for any other text. It calls stop every thousand positions or
// so. Once stop returns true, Judge ends early, with the costliest of the moves that it has judged.
func Judge(text string, stop func() bool) ([]study.Mark, error) {
	game, err := record.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("a game to judge: %w", err)
	}
	marks := study.Costliest(&game, func() error {
		if stop() {
			return errStopped
		}
		return nil
	})
	return append([]study.Mark{}, marks...), nil // a list in JSON, too, if there are none
}
