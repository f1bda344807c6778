// Package viewer shows recorded games: as plain text, and full-screen on a terminal with keys.
package viewer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/study"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Game is a recorded game with its positions.
type Game struct {
	Record    *record.Record
	Positions []rules.Position // before the first ply and after each
}

// New returns the game of a record. It returns an error for an illegal move.
func New(r *record.Record) (*Game, error) {
	g := &Game{r, []rules.Position{r.Start}}
	for _, m := range r.Moves {
		next, err := g.Positions[len(g.Positions)-1].Play(m)
		if err != nil {
			return nil, fmt.Errorf("game %s does not replay: %w", plain.Line(r.Game), err)
		}
		g.Positions = append(g.Positions, next)
	}
	return g, nil
}

// Last returns the last ply.
func (g *Game) Last() int { return len(g.Positions) - 1 }

// WriteFrom writes the positions from a ply on, with search reports if search is set. It returns w's error.
func (g *Game) WriteFrom(w io.Writer, ply int, search bool) error {
	width := terminal.WidthOf(w)
	for ; ply <= g.Last(); ply++ {
		if _, err := io.WriteString(w, terminal.Wrap(g.Text(ply, search), width, "    ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Text returns the text of a ply: a caption, the board after the ply, the search report if search is set and the record
// has one, and after the last ply the ending of the game.
func (g *Game) Text(ply int, search bool) string {
	var b strings.Builder
	b.WriteString(g.caption(ply) + "\n" + BoardText(g.Positions[ply]))
	if search && ply > 0 && ply <= len(g.Record.Searches) && g.Record.Searches[ply-1] != nil {
		writeSearch(&b, g.Record.Searches[ply-1])
	}
	if ply == g.Last() {
		b.WriteString(g.ending() + "\n")
	}
	return b.String()
}

// title returns a line such as "game 7: alice attacks, bob defends, gpcc2015 4x4". A record that somebody has typed may
// lack the number and the names.
func (g *Game) title() string {
	r := g.Record
	line := fmt.Sprintf("%v %v", r.Start.Rules(), r.Start.Size())
	if r.Attacker != "" && r.Defender != "" {
		line = fmt.Sprintf("%s attacks, %s defends, %s", r.Attacker, r.Defender, line)
	}
	return plain.Line(strings.TrimSpace("game "+r.Game) + ": " + line)
}

// caption returns a line such as "ply 12 of 880: bob slides W, score 24, 12.1 ms". For ply 0 it returns the title.
func (g *Game) caption(ply int) string {
	r := g.Record
	if ply == 0 {
		return g.title()
	}
	move, verb := r.Moves[ply-1], "places"
	if move.IsSlide() {
		verb = "slides"
	}
	text := fmt.Sprintf("ply %d of %d: %s %s %v, score %d", ply, len(r.Moves), plain.Line(g.Mover(ply)), verb, move, g.Positions[ply].Score())
	if ply <= len(r.Times) {
		text += fmt.Sprintf(", %.1f ms", float64(r.Times[ply-1].Microseconds())/1000)
	}
	return text + g.stood(ply-1)
}

// stood returns a text with the time and the reason of the clock's pauses during the move with that index, or "" if
// there were none. The index after the last move is for a move that was not made.
func (g *Game) stood(index int) string {
	i := slices.IndexFunc(g.Record.Pauses, func(p record.Pause) bool { return p.Ply == index })
	if i < 0 {
		return ""
	}
	var reasons []string
	still := g.Record.Pauses[i]
	if still.Stall > 0 {
		reasons = append(reasons, seconds(still.Stall)+" while the arena stalled")
	}
	if still.Away > 0 {
		reasons = append(reasons, seconds(still.Away)+" while the bot was away")
	}
	return ", not counting " + strings.Join(reasons, " and ")
}

// seconds returns a time such as "7.40 s".
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// Mover returns the name of the bot that made a ply's move. If the record has no name, it returns "the attacker" or
// "the defender".
func (g *Game) Mover(ply int) string {
	if g.Record.Moves[ply-1].IsSlide() {
		return cmp.Or(g.Record.Defender, "the defender")
	}
	return cmp.Or(g.Record.Attacker, "the attacker")
}

// ending returns a line such as "mate: bob scored 1204, largest tile 128".
func (g *Game) ending() string {
	r, p := g.Record, g.Positions[g.Last()]
	text := fmt.Sprintf("%s: %s scored %d, largest tile %d", r.Ending, cmp.Or(r.Defender, "the defender"), p.Score(), p.LargestTile())
	if winner, ok := r.Winner(); ok {
		text += fmt.Sprintf("; the %v wins the game", winner)
	}
	if r.Detail != "" {
		text += "; " + r.Detail
	}
	return plain.Line(text + g.stood(len(r.Moves)))
}

// Mark is a ply worth looking at.
type Mark = study.Mark

// Marks returns, in the order of plies, each side's worst moves, and the last ply if a fault or a resignation ended the
// game. It leaves out the marks of new tiles. It returns early, with the marks found so far, when ctx ends.
func (g *Game) Marks(ctx context.Context) []Mark {
	return slices.DeleteFunc(study.Of(g.Record, ctx.Err).List, func(m Mark) bool { return m.Kind == study.Tile })
}

// BoardText draws a board with its tiles right-aligned in columns of equal width.
func BoardText(p rules.Position) string {
	width := len(strconv.Itoa(p.LargestTile()))
	var b strings.Builder
	for _, row := range p.Tiles() {
		for _, tile := range row {
			text := "."
			if tile > 0 {
				text = strconv.Itoa(tile)
			}
			fmt.Fprintf(&b, "  %*s", width, text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// shownMoves is the largest number of root moves of a search that are shown.
const shownMoves = 5

func writeSearch(b *strings.Builder, s *record.SearchReport) {
	fmt.Fprintf(b, "  search: %s\n", searchFacts(s))
	if len(s.Moves) > 0 {
		table := terminal.Table{Indent: "    ", Columns: []terminal.Column{{Title: "move", Right: true}, {Title: "value", Right: true}, {Title: "visits", Right: true}}}
		guided := s.Guided()
		if guided {
			table.Columns = append(table.Columns, terminal.Column{Title: "policy", Right: true})
		}
		for _, m := range s.Moves[:min(len(s.Moves), shownMoves)] {
			value := fmt.Sprintf("%.6g", m.Value)
			if m.Mate > 0 {
				value = fmt.Sprintf("mate in %d", m.Mate)
			}
			cells := []any{m.Move, value, m.Visits}
			if guided {
				cells = append(cells, fmt.Sprintf("%.1f%%", 100*m.Prior))
			}
			table.Add(cells...)
		}
		b.WriteString(table.Text(0))
	}
	if more := len(s.Moves) - shownMoves; more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
	if len(s.Expanded) > 0 {
		fmt.Fprintf(b, "  expanded by depth: %s\n", strings.Trim(fmt.Sprint(s.Expanded), "[]"))
	}
	if len(s.Variation) > 0 {
		fmt.Fprintf(b, "  principal variation: %s\n", strings.Trim(fmt.Sprint(s.Variation), "[]"))
	}
}

// searchFacts returns the known numbers of a search, such as "1000 playouts, 385 nodes, 1.8 ms".
func searchFacts(s *record.SearchReport) string {
	var facts []string
	switch s.Source {
	case record.FromProof:
		facts = append(facts, "from a proof")
	case record.FromSearch:
		facts = append(facts, "beyond its proof")
	}
	if s.Playouts > 0 {
		facts = append(facts, terminal.Count(s.Playouts, "playout", "playouts"))
	}
	if s.Nodes > 0 {
		facts = append(facts, terminal.Count(s.Nodes, "node", "nodes"))
	}
	if s.Time > 0 {
		facts = append(facts, fmt.Sprintf("%.1f ms", float64(s.Time)/float64(time.Millisecond)))
	}
	if s.TokensRead > 0 || s.TokensWritten > 0 {
		facts = append(facts, fmt.Sprintf("%s read, %d written", terminal.Count(s.TokensRead, "token", "tokens"), s.TokensWritten))
	}
	if facts == nil {
		return "the bot gave no numbers"
	}
	return strings.Join(facts, ", ")
}
