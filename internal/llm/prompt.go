package llm

import (
	"crypto/sha256"
	_ "embed" // the usual prompt
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"versus2048/rules"
)

// Usual is the text of the usual prompt.
//
//go:embed prompt.tmpl
var Usual string

// Prompt makes the messages that ask a model for a move, from templates of Go's text/template: "system" and "position"
// begin a conversation, and "refusal" follows an answer without a legal move.
type Prompt struct {
	templates *template.Template
	text      string // of the templates that replace usual ones
}

// parts are the names of the templates.
var parts = []string{"system", "position", "refusal"}

// NewPrompt returns a prompt with the templates that a text defines, each by {{define "NAME"}}. The usual template
// takes the place of a missing one; "" means all usual ones. NewPrompt returns an error for a text that is no
// template or defines none of the three, and for a template that fails in one of a few positions.
func NewPrompt(text string) (*Prompt, error) {
	templates, err := template.New("prompt").Parse(Usual)
	if err != nil {
		return nil, err
	}
	p := &Prompt{templates, text}
	if text == "" {
		return p, nil
	}
	own, err := template.New("prompt").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w; see docs/LLM.md", err)
	}
	if !slices.ContainsFunc(own.Templates(), func(t *template.Template) bool { return slices.Contains(parts, t.Name()) }) {
		return nil, fmt.Errorf(`it defines no template: want {{define "NAME"}}...{{end}} with one of the names %s`, strings.Join(parts, ", "))
	}
	if _, err := templates.Parse(text); err != nil {
		return nil, err
	}
	return p, p.try()
}

// try makes the messages of some positions, so that a mistake in a template does not wait for a game.
func (p *Prompt) try() error {
	for _, r := range rules.Rulesets() {
		for _, text := range []string{"2,0/0,4 D 0 4", "2,0,0/0,4,2 A 0 5"} {
			position, err := rules.ParsePosition(r, text)
			if err != nil {
				continue // not under these rules
			}
			turn := NewTurn(position, time.Second)
			if _, err := p.Messages(turn); err != nil {
				return err
			}
			if _, err := p.Refusal(turn, ErrUnreadable); err != nil {
				return err
			}
		}
	}
	return nil
}

// ID returns eight hexadecimal digits that differ for different templates.
func (p *Prompt) ID() string {
	sum := sha256.Sum256([]byte(Usual + p.text))
	return fmt.Sprintf("%x", sum[:4])
}

// Turn describes a position to templates.
type Turn struct {
	Rules         string // gpcc2015, gpcc2016 or solo
	Fours         bool   // the attacker may also place 4s
	Chance        bool   // chance is the attacker
	Width, Height int    // columns and rows of the board
	Role          string // of the model: attacker or defender
	Rows          [][]int
	Board         string // the rows as lines, with a dot for an empty cell
	Score         int    // of the defender
	Ply           int    // plies played before
	Moves         []Option
	Left          time.Duration // for the move
	Reason        string        // in a refusal: why the last answer does not count
}

// Option is a legal move.
type Option struct {
	Move  string // in the notation
	Gain  int    // points that it scores at once
	Board string // the board after it
}

// NewTurn describes the position to templates.
func NewTurn(p rules.Position, left time.Duration) Turn {
	size := p.Size()
	t := Turn{
		Rules: p.Rules().String(), Fours: p.Rules().Fours(), Chance: p.Rules().Chance(),
		Width: int(size.Width), Height: int(size.Height), Role: p.SideToMove().String(),
		Rows: p.Tiles(), Board: drawn(p), Score: p.Score(), Ply: p.Ply(), Left: left,
	}
	for _, m := range p.AppendMoves(nil) {
		next := p.Next(m)
		t.Moves = append(t.Moves, Option{m.String(), next.Score() - p.Score(), drawn(next)})
	}
	return t
}

// drawn returns the board as lines.
func drawn(p rules.Position) string {
	rows, width := p.Tiles(), len(fmt.Sprint(p.LargestTile()))
	var text strings.Builder
	for _, row := range rows {
		for x, tile := range row {
			if x > 0 {
				text.WriteByte(' ')
			}
			cell := "."
			if tile > 0 {
				cell = fmt.Sprint(tile)
			}
			fmt.Fprintf(&text, "%*s", width, cell)
		}
		text.WriteByte('\n')
	}
	return strings.TrimRight(text.String(), "\n")
}

// Messages returns the messages that ask for a move. It returns an error if a template fails, or if the templates
// system and position both give no text.
func (p *Prompt) Messages(t Turn) (messages []Message, err error) {
	for i, role := range []string{"system", "user"} {
		text, err := p.execute(parts[i], t)
		if err != nil {
			return nil, err
		}
		if text != "" { // a prompt may do without a system message
			messages = append(messages, Message{role, text})
		}
	}
	if len(messages) == 0 {
		return nil, errors.New("the templates system and position are empty: nothing asks for a move")
	}
	return messages, nil
}

// Refusal returns the message that follows an answer without a legal move. It returns an error if the template fails.
func (p *Prompt) Refusal(t Turn, why error) (Message, error) {
	t.Reason = why.Error()
	if illegal := (*rules.IllegalMoveError)(nil); errors.As(why, &illegal) {
		t.Reason = fmt.Sprintf("%v is illegal: %s", illegal.Move, illegal.Reason)
	}
	text, err := p.execute("refusal", t)
	return Message{"user", text}, err
}

func (p *Prompt) execute(name string, t Turn) (string, error) {
	var text strings.Builder
	err := p.templates.ExecuteTemplate(&text, name, t)
	return strings.TrimSpace(text.String()), err
}
