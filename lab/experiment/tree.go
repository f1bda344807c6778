package experiment

import (
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/lab/picture"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// TreeSource cites the paper's figures on the growth of its search trees.
const TreeSource = "Oka, Matsuzaki, Haraguchi: Exhaustive Analysis and Monte-Carlo Tree Search Player for Two-Player 2048 (2015), Figures 6-9"

// TreeMatches is the default number of matches, enough for smooth figures.
const TreeMatches = 10

// TreeReport shows how many nodes searches expand, as Figures 6 to 9 of the paper do. [Growth] collects one.
type TreeReport struct {
	Source     string       `json:"source"`
	Event      int64        `json:"event"` // its number, 0 if it is not on record
	Name       string       `json:"name"`  // the event's name
	Conditions string       `json:"conditions"`
	Games      int          `json:"games"`  // finished games
	AllGames   int          `json:"of"`     // of the event, finished or not
	Layers     []string     `json:"layers"` // the names of the counts in an Expanded
	Figures    []TreeFigure `json:"figures"`
	Gaps       []TreeGap    `json:"gaps"`
}

// TreeFigure has the numbers of one bot in one role. Forced moves need no search and do not count.
type TreeFigure struct {
	Bot      string                  `json:"bot"`
	Role     rules.Side              `json:"role"`
	Games    int                     `json:"games"`    // with a search
	Searches int                     `json:"searches"` // in all games
	Means    [layers]report.Interval `json:"means"`    // of each game's mean per search
	Bins     []TreeBin               `json:"bins"`     // the bins with at least MinGames games

	samples [layers]Sample
}

// MinGames is the number of games with a search that a bin needs to be shown: a quarter of f.Games. Few games last
// to the latest plies, and these games are not typical.
func (f TreeFigure) MinGames() int { return (f.Games + 3) / 4 }

// TreeBin is a range of consecutive plies of the game.
type TreeBin struct {
	From     int      `json:"from"`  // the first ply, from 1
	To       int      `json:"to"`    // the last one
	Games    int      `json:"games"` // with a search in this range
	Searches int      `json:"searches"`
	Expanded Expanded `json:"expanded"` // per search, on average
}

// TreeGap is the mean of the event's first bot minus the mean of the second, in one role and layer.
type TreeGap struct {
	Role  rules.Side      `json:"role"`
	Layer string          `json:"layer"`
	Gap   report.Interval `json:"gap"`
}

// layers is the number of layers that the figures distinguish in a tree.
const layers = 3

// layerNames returns the names of the layers in tables.
func layerNames() []string { return []string{"to 6", "7", "from 8"} }

// Expanded counts the nodes that were given children, at depths up to 6, at 7 and from 8 on, in
// plies below the root.
type Expanded [layers]float64

func newExpanded(s *record.SearchReport) (e Expanded) {
	for depth, n := range s.Expanded {
		e[max(0, min(depth-6, layers-1))] += float64(n)
	}
	return e
}

func (e Expanded) plus(f Expanded) Expanded {
	for i := range e {
		e[i] += f[i]
	}
	return e
}

// dividedBy returns e divided by a count that is not 0.
func (e Expanded) dividedBy(count int) Expanded {
	for i := range e {
		e[i] /= float64(count)
	}
	return e
}

// total returns the nodes of all layers.
func (e Expanded) total() (n float64) {
	for _, layer := range e {
		n += layer
	}
	return n
}

// TreeEvent returns the event of Figures 6 to 9: MCTS2 against MCTS, with reports on all searches.
// The error says which setting is out of range.
func TreeEvent(s Config) (tournament.Event, error) {
	return s.treeEvent(nameMCTS2, nameMCTS)
}

// CanonicalTreeEvent returns the same event for MCTS2 on canonical positions against MCTS2.
func CanonicalTreeEvent(s Config) (tournament.Event, error) {
	return s.treeEvent(nameCanonical, nameMCTS2)
}

func (s Config) treeEvent(first, second string) (tournament.Event, error) {
	e, err := s.paperEvent("tree", first, second)
	e.Search = true
	return e, err
}

// WriteMarkdown writes the means of each bot and role, and the differences between the two bots. It
// returns w's error.
func (t TreeReport) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Paper: %s.\n\nNodes expanded in a search, by depth in plies below the root:\n\n", t.Source)
	t.writeMeans(&text)
	first, second := t.Figures[1].Bot, t.Figures[0].Bot // in each role the second bot comes before the first
	fmt.Fprintf(&text, "\n%s minus %s:\n\n", first, second)
	t.writeGaps(&text)
	if first == nameMCTS2 {
		text.WriteString("\nIn the paper MCTS2 expands fewer nodes than MCTS at depth 7, and more from depth 8 on.\n")
	}
	fmt.Fprintf(&text, "\nEach number is the mean over all games of the mean of a game's searches, with its %.0f%% interval.\n"+
		"Forced moves need no search and are left out. The figures end at the last ply that at least a quarter\n"+
		"of the games reached.\n\n", 100*Level)
	fmt.Fprintf(&text, "- %s: %d of %d games; %s\n", t.Name, t.Games, t.AllGames, t.Conditions)
	_, err := io.WriteString(w, text.String())
	return err
}

func (t TreeReport) writeMeans(text *strings.Builder) {
	table := NewTable([]string{"bot", "role"}, append([]string{"games", "searches"}, t.Layers...)...)
	for _, f := range t.Figures {
		cells := []any{f.Bot, f.Role, f.Games, f.Searches}
		for _, mean := range f.Means {
			cells = append(cells, mean.Rounded(1))
		}
		table.Add(cells...)
	}
	text.WriteString(table.Markdown())
}

func (t TreeReport) writeGaps(text *strings.Builder) {
	table := NewTable([]string{"role"}, t.Layers...)
	for i := 0; i < len(t.Gaps); i += layers {
		cells := []any{t.Gaps[i].Role}
		for _, g := range t.Gaps[i : i+layers] {
			cells = append(cells, g.Gap.Rounded(1))
		}
		table.Add(cells...)
	}
	text.WriteString(table.Markdown())
}

// WriteCSV writes the numbers of the figures, one line per bin. It returns w's error.
func (t TreeReport) WriteCSV(w io.Writer) error {
	table := NewTable([]string{"bot", "role"}, "from_ply", "to_ply", "games", "searches", "depth_to_6", "depth_7", "depth_from_8")
	for _, f := range t.Figures {
		for _, b := range f.Bins {
			line := []any{f.Bot, f.Role, b.From, b.To, b.Games, b.Searches}
			for _, n := range b.Expanded {
				line = append(line, strconv.FormatFloat(n, 'f', 2, 64))
			}
			table.Add(line...)
		}
	}
	return table.WriteCSV(w)
}

// WritePlot draws the four figures on one page with the same scales: the bots side by side, the
// defenders above the attackers. The format is picture.SVG or picture.PNG. It returns w's error, or one
// for an unknown format.
func (t TreeReport) WritePlot(w io.Writer, format string) error {
	width, height := t.extent()
	var rows [][]*plot.Plot
	var key []picture.Entry
	for i, f := range t.Figures {
		p := picture.New(fmt.Sprintf("%s as %v, %d games", f.Bot, f.Role, f.Games), "ply of the game", "nodes expanded in a search, on average")
		var err error
		if key, err = f.draw(p); err != nil {
			return err
		}
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, width, 0, 1.05*height
		if i%2 == 0 {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], p)
	}
	return picture.WriteKeyed(w, format, 28*vg.Centimeter, 20*vg.Centimeter, rows, key)
}

// extent returns the last ply that is shown and the highest number of nodes, each at least 1.
func (t TreeReport) extent() (width, height float64) {
	width, height = 1, 1
	for _, f := range t.Figures {
		for _, b := range f.Bins {
			width, height = max(width, float64(b.To)), max(height, b.Expanded.total())
		}
	}
	return width, height
}

// draw stacks the layers. It fills each layer from the axis up to its upper edge, the topmost layer first, so that
// the lower layers cover it. It returns the key to the layers.
func (f TreeFigure) draw(p *plot.Plot) (key []picture.Entry, err error) {
	colors := [layers]color.Color{picture.Blue, picture.Orange, picture.Green}
	for layer := layers - 1; layer >= 0; layer-- {
		area, err := f.area(layer)
		if err != nil {
			return nil, fmt.Errorf("plotting %s as %v: %w", f.Bot, f.Role, err)
		}
		area.FillColor, area.LineStyle.Width = colors[layer], 0
		key = append(key, picture.Entry{Name: "depth " + layerNames()[layer], Thumbs: []plot.Thumbnailer{area}})
		if len(f.Bins) > 0 {
			p.Add(area)
		}
	}
	return key, nil
}

// area returns the area under the sum of the layers up to and including the given one.
func (f TreeFigure) area(layer int) (*plotter.Line, error) {
	var top plotter.XYs
	for _, b := range f.Bins {
		height := 0.0
		for _, n := range b.Expanded[:layer+1] {
			height += n
		}
		top = append(top, plotter.XY{X: float64(b.From - 1), Y: height}, plotter.XY{X: float64(b.To), Y: height})
	}
	return plotter.NewLine(top)
}
