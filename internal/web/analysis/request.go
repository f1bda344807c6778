package analysis

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Problem is a fault of a request, in words for the visitor.
type Problem struct {
	Missing bool   // whether the request is for a thing that does not exist
	Title   string // such as "There is no puzzle 17"
	Advice  string // a way out
}

func (p *Problem) Error() string { return strings.ToLower(p.Title[:1]) + p.Title[1:] + ": " + p.Advice }

// missing returns the problem of a request for a thing that does not exist.
func missing(title, advice string) error { return &Problem{true, title, advice} }

// wrong returns the problem of a request that is invalid.
func wrong(title, advice string) error { return &Problem{false, title, advice} }

// PositionIn returns the position in a request: position=TEXT with rules=NAME, by default gpcc2015. Without a position
// it returns the empty board of 4x4. It returns an error for unknown rules and for an impossible position.
func PositionIn(request url.Values) (p rules.Position, err error) {
	chosen := rules.GPCC2015
	if name := request.Get("rules"); name != "" {
		if chosen, err = rules.ParseRuleset(name); err != nil {
			return p, wrong("There are no such rules", err.Error())
		}
	}
	text := request.Get("position")
	if text == "" {
		return rules.NewPosition(chosen, rules.Full), nil
	}
	if p, err = rules.ParsePosition(chosen, text); err != nil {
		return p, wrong("This position is impossible", reason(err))
	}
	return p, nil
}

// PositionOf reads a position that a visitor has sent. It returns an error for an impossible position.
func PositionOf(r rules.Ruleset, text string) (rules.Position, error) {
	p, err := rules.ParsePosition(r, text)
	if err != nil {
		return p, wrong("This is no position", err.Error())
	}
	return p, nil
}

// reason returns the fault of a position from an error, without the position.
func reason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		if strings.HasPrefix(err.Error(), "position \"") {
			err = inner
		}
	}
	return err.Error()
}

// PlyOf returns the ply under a key of a request. For a request without the key it returns the value of otherwise. It
// returns an error for a text that is no ply from 0 to last.
func PlyOf(request url.Values, key string, last, otherwise int) (int, error) {
	text := request.Get(key)
	if text == "" {
		return otherwise, nil
	}
	ply, err := strconv.Atoi(text)
	if err != nil || ply < 0 || ply > last {
		return 0, wrong(fmt.Sprintf("There is no ply %.20q", text), fmt.Sprintf("This game has the plies 0 to %d.", last))
	}
	return ply, nil
}

// At returns the position after a ply of a record. It returns an error if a move up to the ply is not legal.
func At(r *record.Record, ply int) (rules.Position, error) {
	p := r.Start
	for _, m := range r.Moves[:ply] {
		next, err := p.Play(m)
		if err != nil {
			return p, fmt.Errorf("game %s does not replay: %w", r.Game, err)
		}
		p = next
	}
	return p, nil
}

// Between returns the positions at the plies of a record from one ply to another, both included. It returns an error if
// a move up to the last of these plies is not legal.
func Between(r *record.Record, from, to int) (list []rules.Position, err error) {
	p, err := At(r, from)
	if err != nil {
		return nil, err
	}
	list = append(list, p)
	for _, m := range r.Moves[from:to] {
		if p, err = p.Play(m); err != nil {
			return nil, fmt.Errorf("game %s does not replay: %w", r.Game, err)
		}
		list = append(list, p)
	}
	return list, nil
}
