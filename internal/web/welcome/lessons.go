package welcome

import (
	"fmt"
	"strings"

	"versus2048/internal/web/analysis"
	"versus2048/rules"
)

// Lesson is an example of a rule: a position, and the moves that show the rule.
type Lesson struct {
	Start rules.Position
	Moves []rules.Move
	Text  string
}

// Lessons returns the examples of the rules, in the order of teaching.
func Lessons() (lessons []Lesson, err error) {
	for _, l := range []struct{ start, moves, text string }{
		{"0,0,0/0,0,0/0,0,0 A", "(2,2) E (1,1) S (2,1) W", "The attacker places a 2 on an empty cell. Then the defender slides all tiles to one side, as far as they go. They take turns."},
		{"2,2,4/0,0,0/0,0,0 D", "W (3,3) W", "Two equal tiles that meet become one, and the defender gets its value in points: here 4, then 8."},
		{"2,2,2/4,2,2/0,0,0 D", "W", "A tile that was just made does not merge again in the same slide, and the tiles nearest to the wall merge first."},
		{"4,8,4/2,4,8/8,16,0 A", "(3,3)", "The board is full and no two neighbours are equal: no slide is left, and the game is over."},
	} {
		p, err := rules.ParsePosition(rules.GPCC2015, l.start)
		if err != nil {
			return nil, fmt.Errorf("an example of the rules: %w", err)
		}
		lesson := Lesson{Start: p, Text: l.text}
		for _, text := range strings.Fields(l.moves) {
			m, err := rules.ParseMove(text)
			if err != nil {
				return nil, fmt.Errorf("an example of the rules: %w", err)
			}
			lesson.Moves = append(lesson.Moves, m)
		}
		lessons = append(lessons, lesson)
	}
	return lessons, nil
}

// Board is the board before the first move.
func (l Lesson) Board() analysis.Board { return analysis.NewBoard(l.Start, nil) }

// Rules is the page of the rules.
type Rules struct {
	Lessons []Lesson
	Levels  []Level
}

// NewRules returns the page of the rules.
func NewRules() (*Rules, error) {
	lessons, err := Lessons()
	return &Rules{lessons, Levels()}, err
}
