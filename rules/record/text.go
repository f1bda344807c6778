package record

import (
	"bytes"
	"fmt"
	"io"

	"versus2048/rules"
)

// textWidth is the width in columns at which the turns are wrapped.
const textWidth = 80

// tag is a fact that stands in a line of its own before the turns.
type tag struct {
	name  string
	value *string
}

// tags are the facts that the text form has, in the order in which they are
// written.
func (f *recordForm) tags() []tag {
	return []tag{
		{"Event", &f.Event},
		{"Game", &f.Game},
		{"Date", &f.Date},
		{"Attacker", &f.Attacker},
		{"Defender", &f.Defender},
		{"AttackerSeed", (*string)(&f.AttackerSeed)},
		{"DefenderSeed", (*string)(&f.DefenderSeed)},
		{"Rules", &f.Rules},
		{"Size", &f.Size},
		{"Start", &f.Start},
		{"Result", (*string)(&f.Score)},
		{"Winner", &f.Winner},
		{"Ending", &f.Ending},
		{"Detail", &f.Detail},
	}
}

// WriteText writes the game as a person reads it: tags one a line, a blank
// line, the numbered turns, and a blank line, so that games can be written one
// after another. The Result is the defender's score. Tags without a value are
// left out, and so are the times. It returns an error if the game does not
// replay or a fact is out of its range.
func (r *Record) WriteText(w io.Writer) error {
	f, err := newForm(r)
	if err != nil {
		return fmt.Errorf("record of game %q: %w", r.Game, err)
	}
	var b bytes.Buffer
	for _, t := range f.tags() {
		if *t.value != "" {
			fmt.Fprintf(&b, "[%s %q]\n", t.name, *t.value)
		}
	}
	b.WriteByte('\n')
	writeTurns(&b, r.Moves)
	_, err = w.Write(b.Bytes())
	return err
}

func writeTurns(b *bytes.Buffer, moves []rules.Move) {
	column := 0
	for n := 1; len(moves) > 0; n++ {
		var turn string
		turn, moves = cutTurn(moves)
		turn = fmt.Sprintf("%d. %s", n, turn)
		switch {
		case column == 0:
		case column+1+len(turn) > textWidth:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(turn)
		column += len(turn)
	}
	if column > 0 {
		b.WriteString("\n\n")
	}
}

// cutTurn writes the first turn of the moves; dots stand for a placement that
// was made before the game's start.
func cutTurn(moves []rules.Move) (turn string, rest []rules.Move) {
	switch {
	case moves[0].IsSlide():
		return "... " + moves[0].String(), moves[1:]
	case len(moves) == 1:
		return moves[0].String(), nil
	default:
		return moves[0].String() + " " + moves[1].String(), moves[2:]
	}
}
