package regret

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"versus2048/lab/experiment"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Curve shows the strength of the runs of one name at each of their snapshots.
type Curve struct {
	Rules  rules.Ruleset `json:"rules"`
	Size   rules.Size    `json:"size"`
	Run    string        `json:"run"`
	Role   rules.Side    `json:"role"`
	Points []Point       `json:"points"` // in the order of the steps
}

// Point is one snapshot that all seeds have: the means over the seeds, with Student's t intervals.
type Point struct {
	Snapshot string          `json:"snapshot"`
	Steps    float64         `json:"steps"`   // of training, mean
	Seconds  float64         `json:"seconds"` // that training took, mean
	Seeds    int             `json:"seeds"`
	Mean     report.Interval `json:"mean"`    // score
	Share    report.Interval `json:"share"`   // of the optimum
	Optimal  report.Interval `json:"optimal"` // share of optimal moves
	Loss     report.Interval `json:"loss"`    // points a move
}

// sameNetworks reports whether two points show the same networks: if a run ends when a snapshot is due, its
// last network is also a snapshot.
func (p Point) sameNetworks(q Point) bool { return p.Steps == q.Steps && p.Seeds == q.Seeds }

// curves returns the curves of the bots that are snapshots.
func (b LearnedBoard) curves() (curves []Curve) {
	for _, run := range b.runs() {
		for _, role := range b.game().Roles() {
			curve := Curve{Rules: b.Rules, Size: b.Size, Run: run, Role: role}
			for _, rows := range b.snapshots(run) {
				curve.Points = append(curve.Points, b.point(rows, role))
			}
			slices.SortFunc(curve.Points, func(x, y Point) int {
				return cmp.Or(cmp.Compare(x.Steps, y.Steps), cmp.Compare(x.Snapshot, y.Snapshot))
			})
			curve.Points = slices.CompactFunc(curve.Points, Point.sameNetworks)
			curves = append(curves, curve)
		}
	}
	return curves
}

// runs returns the names of the runs, in the order of the bots.
func (b LearnedBoard) runs() (names []string) {
	for _, bot := range b.Bots {
		if bot.Learned != nil && !slices.Contains(names, bot.Learned.Run) {
			names = append(names, bot.Learned.Run)
		}
	}
	return names
}

// snapshots returns the rows of each snapshot of a run, by their places in b.Bots. It leaves out snapshots that
// some seeds lack, for example because training was slower with these seeds: the mean of such a snapshot would be
// over fewer seeds than the other means.
func (b LearnedBoard) snapshots(run string) map[string][]int {
	rows, seeds := map[string][]int{}, 0
	for i, bot := range b.Bots {
		if bot.Learned != nil && bot.Learned.Run == run {
			places := append(rows[bot.Learned.Snapshot], i)
			rows[bot.Learned.Snapshot], seeds = places, max(seeds, len(places))
		}
	}
	maps.DeleteFunc(rows, func(_ string, places []int) bool { return len(places) < seeds })
	return rows
}

// point returns the point of a snapshot.
func (b LearnedBoard) point(rows []int, role rules.Side) Point {
	p := Point{Snapshot: b.Bots[rows[0]].Learned.Snapshot, Seeds: len(rows)}
	var means, shares, optimal, losses []float64
	for _, i := range rows {
		bot := b.Bots[i]
		p.Steps += float64(bot.Learned.Steps) / float64(len(rows))
		p.Seconds += bot.Learned.Seconds / float64(len(rows))
		played := bot.in(role)
		means = append(means, played.Mean.Value.Value)
		if b.Moves != nil {
			moves := b.figures(i, role, 0)
			shares = append(shares, played.Share.Value.Value)
			if moves.Positions > 0 { // there are boards where no placement is a mistake
				optimal, losses = append(optimal, moves.Optimal.Value.Value), append(losses, moves.Loss.Value.Value)
			}
		}
	}
	// The share of the optimum has no bounds: with much luck a bot exceeds the optimum.
	p.Mean, p.Share = experiment.MeanInterval(means, "seed").Within(0, math.Inf(1)), experiment.MeanInterval(shares, "seed")
	p.Optimal = experiment.MeanInterval(optimal, "seed").Within(0, 1)
	p.Loss = experiment.MeanInterval(losses, "seed").Within(0, math.Inf(1))
	return p
}

// writeCurves writes a table of each curve of a game.
func (r LearnedReport) writeCurves(text *strings.Builder, b LearnedBoard) {
	for _, c := range r.Curves {
		if c.Rules != b.Rules || c.Size != b.Size {
			continue
		}
		fmt.Fprintf(text, "%s as %v, %v on %v, means over the seeds:\n\n", code(c.Run), c.Role, c.Rules, c.Size)
		table := experiment.NewTable(nil, "steps", "seconds", "seeds", "mean score", "share of the optimum", "optimal moves", "mean loss, points a move")
		for _, p := range c.Points {
			table.Add(fmt.Sprintf("%.0f", p.Steps), fmt.Sprintf("%.0f", p.Seconds), p.Seeds, p.Mean.Rounded(1), p.Share.Percent(), p.Optimal.Percent(), p.Loss.Rounded(2))
		}
		text.WriteString(table.Markdown() + "\n")
	}
}
