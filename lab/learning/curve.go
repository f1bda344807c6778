package learning

import (
	"io"
	"strconv"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/internal/text/terminal"
	"versus2048/lab/picture"
)

// Curve is a learning curve: a point for every [Round] games, or less often once it has many points.
type Curve []Point

// Point describes the games since the point before, as they were played while learning went on.
type Point struct {
	Games uint64        `json:"games"`       // since learning began
	Plies uint64        `json:"plies"`       // since learning began
	Time  time.Duration `json:"nanoseconds"` // of learning
	// Score is the mean score, and Won the share of games with a tile of 2048 or more. Under the rules for two both
	// count only games that began from an opening, with the network on both sides; these games have some random
	// moves (Settings.Noise). Both are 0 if there was no such game.
	Score float64 `json:"score"`
	Won   float64 `json:"won"`
	// Error is the mean absolute error of the network's values of boards, in points.
	Error float64 `json:"error"`
}

// sums add up the games of a point.
type sums struct {
	Games   uint64  `json:"games"`
	Plies   uint64  `json:"plies"`
	Counted uint64  `json:"own"`   // games that count for Score and Won
	Score   uint64  `json:"score"` // of the counted games
	Won     uint64  `json:"won"`
	Errors  float64 `json:"errors"`
	Steps   uint64  `json:"steps"`
}

// winningExponent is the exponent of 2048.
const winningExponent = 11

func (s *sums) add(r result) {
	s.Games++
	s.Plies += r.plies
	s.Errors += r.errors
	s.Steps += r.steps
	if !r.counts {
		return
	}
	s.Counted++
	s.Score += uint64(r.score)
	if r.largest >= winningExponent {
		s.Won++
	}
}

func (s *sums) merge(other sums) {
	s.Games += other.Games
	s.Plies += other.Plies
	s.Counted += other.Counted
	s.Score += other.Score
	s.Won += other.Won
	s.Errors += other.Errors
	s.Steps += other.Steps
}

func (s *sums) point(games, plies uint64, took time.Duration) Point {
	counted := float64(max(1, s.Counted))
	return Point{
		Games: games, Plies: plies, Time: took,
		Score: float64(s.Score) / counted, Won: float64(s.Won) / counted, Error: s.Errors / float64(max(1, s.Steps)),
	}
}

// WriteCSV writes a line of titles and a line for each point. It returns w's error.
func (c Curve) WriteCSV(w io.Writer) error {
	table := terminal.Table{Columns: terminal.Columns("games", "plies", "seconds", "score", "won", "error")}
	number := func(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
	for _, p := range c {
		table.Add(p.Games, p.Plies, number(p.Time.Seconds(), 1), number(p.Score, 1), number(p.Won, 4), number(p.Error, 2))
	}
	return table.WriteCSV(w)
}

// WritePlot draws the mean score, the share of games with a 2048 and the error against the number of games. The
// format is picture.SVG or picture.PNG. It returns w's error, or one for an unknown format.
func (c Curve) WritePlot(w io.Writer, format string) error {
	figures := []struct {
		label string
		value func(Point) float64
	}{
		{"mean score", func(p Point) float64 { return p.Score }},
		{"games with a 2048", func(p Point) float64 { return p.Won }},
		{"mean error, points", func(p Point) float64 { return p.Error }},
	}
	rows := [][]*plot.Plot{nil}
	for _, figure := range figures {
		p := picture.New("", "games", figure.label)
		var points plotter.XYs
		for _, at := range c {
			points = append(points, plotter.XY{X: float64(at.Games), Y: figure.value(at)})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.LineStyle.Color, line.LineStyle.Width = picture.Blue, vg.Points(1.5)
		p.Add(line)
		p.Y.Min = 0
		rows[0] = append(rows[0], p)
	}
	return picture.Write(w, format, 36*vg.Centimeter, 10*vg.Centimeter, rows)
}
