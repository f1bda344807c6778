package analysis

import "versus2048/internal/study"

// Marks is the marks of a game on its page.
type Marks struct {
	Marks  []Mark
	Judged int // the last ply that was judged; 0 if all were, or if the game is not over
}

// Mark is a mark with its form on the page.
type Mark struct {
	study.Mark
	Sign string
	At   float64 // place on the slider, in percent
}

// NewMarks returns the marks of a game for its page.
func NewMarks(marks study.Marks, plies int, over bool) *Marks {
	view := &Marks{}
	for _, m := range marks.List {
		sign := map[study.Kind]string{study.Fault: "✕", study.Tile: "▲", study.Mistake: "▼"}[m.Kind]
		view.Marks = append(view.Marks, Mark{m, sign, 100 * float64(m.Ply) / float64(max(1, plies))})
	}
	if over && marks.Judged < plies {
		view.Judged = marks.Judged
	}
	return view
}
