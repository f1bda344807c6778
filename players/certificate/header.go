package certificate

import (
	"fmt"
	"strconv"
	"strings"

	"versus2048/rules"
)

// Unit divides every score. Files have gains in this unit.
const Unit = 4

// MostScore is the largest score that a claim may have. No game comes near it.
const MostScore = 1 << 30

// A Header is the claim of a certificate: from the empty board the defender gets at least Score, or the
// attacker keeps the score below it.
type Header struct {
	Rules    rules.Ruleset // not solo
	Size     rules.Size
	Claimant rules.Side // the Defender for "at least", the Attacker for "below"
	Score    int        // 1 to MostScore
}

// Validate returns an error for a claim that no certificate can prove.
func (h Header) Validate() error {
	if h.Rules.Chance() {
		return fmt.Errorf("%v has no attacker: nothing can be proven, want gpcc2015 or gpcc2016", h.Rules)
	}
	if h.Score < 1 || h.Score > MostScore {
		return fmt.Errorf("score %d: want 1 to %d", h.Score, MostScore)
	}
	return nil
}

// String writes the claim as "gpcc2016 3x2 at-least 40" or "gpcc2016 3x2 below 44".
func (h Header) String() string {
	return fmt.Sprintf("%v %v %s %d", h.Rules, h.Size, claimWord(h.Claimant), h.Score)
}

func claimWord(claimant rules.Side) string {
	if claimant == rules.Defender {
		return "at-least"
	}
	return "below"
}

// Bound returns the claim about the score as a multiple of Unit: the least score that the defender gets, or the
// largest one that the attacker allows.
func (h Header) Bound() int {
	if h.Claimant == rules.Defender {
		return h.goal() * Unit
	}
	return (h.goal() - 1) * Unit
}

// goal returns the score of the claim in units, rounded up. It is the gain from the empty board.
func (h Header) goal() int { return (h.Score + Unit - 1) / Unit }

// magic begins the first line of a certificate, unless that is from coarse boards (see coarseLine). Its number is the
// version.
const magic = "versus2048 certificate 1 "

func parseHeader(line string) (h Header, err error) {
	text, ok := strings.CutPrefix(line, magic)
	if !ok {
		return h, &FormatError{"it does not begin with " + strconv.Quote(strings.TrimSpace(magic))}
	}
	fields := strings.Split(strings.TrimSuffix(text, "\n"), " ")
	if len(fields) != 4 {
		return h, &FormatError{fmt.Sprintf("claim %q: want the rules, the size, at-least or below, and a score", text)}
	}
	if h.Rules, err = rules.ParseRuleset(fields[0]); err != nil {
		return h, &FormatError{err.Error()}
	}
	if h.Size, err = rules.ParseSize(fields[1]); err != nil {
		return h, &FormatError{err.Error()}
	}
	switch fields[2] {
	case "at-least":
		h.Claimant = rules.Defender
	case "below":
		h.Claimant = rules.Attacker
	default:
		return h, &FormatError{fmt.Sprintf("claim %q: want at-least or below", fields[2])}
	}
	if h.Score, err = strconv.Atoi(fields[3]); err != nil {
		return h, &FormatError{fmt.Sprintf("score %q: want a number", fields[3])}
	}
	if err := h.Validate(); err != nil {
		return h, &FormatError{err.Error()}
	}
	return h, nil
}

// Covered is a position of a proof, with the attacker to move. From there the defender gains at least Gain, or,
// if the attacker has the claim, less than Gain.
type Covered struct {
	Board rules.Board // the smallest of the boards that are equal under a symmetry
	Gain  int         // a multiple of Unit, at least Unit; under gpcc2015: the claim's score, rounded up, minus the board's
	Move  rules.Move  // the placement of a claiming attacker; unused otherwise
}

// A FormatError is the error for an incomplete or damaged certificate, or a file that is no certificate.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return "not a sound certificate: " + e.Reason }
