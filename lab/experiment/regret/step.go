package regret

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"versus2048/lab/experiment"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Step is the effect of more playouts on a family of bots in the same positions.
type Step struct {
	Family string     `json:"family"`
	Role   rules.Side `json:"role"`
	From   int        `json:"from"` // playouts per move, the smaller number
	To     int        `json:"to"`   // the larger number
	// Loss and Optimal are the changes of the mean loss and of the share of optimal moves, with
	// Student's t intervals of the differences in each position.
	Loss    report.Interval `json:"loss"`
	Optimal report.Interval `json:"optimal"`
	// Doubling is the factor by which a doubling of the playouts changes the mean loss. Below 1 the loss falls. The
	// interval is Student's t of the factor's logarithm, by the delta method.
	Doubling report.Interval `json:"doubling"`
}

// steps compares each bot of a family with the bot that has the next higher number of playouts and, if the family
// has more than two bots, the first with the last.
func (s *Sample) steps(bots []Bot) (steps []Step) {
	families := map[string][]Bot{}
	var names []string
	for _, b := range bots {
		e := effortOf(b)
		if e.Playouts == 0 {
			continue
		}
		if families[e.Family] == nil {
			names = append(names, e.Family)
		}
		families[e.Family] = append(families[e.Family], b)
	}
	steps = []Step{}
	for _, name := range names {
		for _, role := range (Game{Rules: s.Rules}).Roles() {
			steps = append(steps, s.familySteps(families[name], role)...)
		}
	}
	return steps
}

func (s *Sample) familySteps(family []Bot, role rules.Side) (steps []Step) {
	slices.SortStableFunc(family, func(a, b Bot) int { return cmp.Compare(effortOf(a).Playouts, effortOf(b).Playouts) })
	for i := 1; i < len(family); i++ {
		steps = append(steps, s.step(family[i-1], family[i], role))
	}
	if len(family) > 2 {
		steps = append(steps, s.step(family[0], family[len(family)-1], role))
	}
	return steps
}

func (s *Sample) step(from, to Bot, role rules.Side) Step {
	before, after := effortOf(from), effortOf(to)
	var losses, optimal []float64
	var pairs [][2]float64
	for i, p := range s.Positions {
		if p.Role == role {
			a, b := from.Answers[i].Loss, to.Answers[i].Loss
			losses, pairs = append(losses, b-a), append(pairs, [2]float64{a, b})
			optimal = append(optimal, indicator(b == 0)-indicator(a == 0))
		}
	}
	return Step{
		Family: before.Family, Role: role, From: before.Playouts, To: after.Playouts,
		Loss:     experiment.MeanInterval(losses, "position"),
		Optimal:  experiment.MeanInterval(optimal, "position"),
		Doubling: doubling(pairs, math.Log2(float64(after.Playouts)/float64(before.Playouts))),
	}
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// doubling returns the factor of the change of a mean for each doubling of the playouts. Each pair has a number before
// and a number after some doublings.
func doubling(pairs [][2]float64, doublings float64) report.Interval {
	before, after := 0.0, 0.0
	for _, p := range pairs {
		before, after = before+p[0]/float64(len(pairs)), after+p[1]/float64(len(pairs))
	}
	if before == 0 || after == 0 || doublings == 0 {
		return experiment.NoInterval("needs two budgets that both lose something")
	}
	logarithm := math.Log(after / before)
	terms := make([]float64, len(pairs)) // their mean is the logarithm; their spread gives its standard error
	for i, p := range pairs {
		terms[i] = logarithm + p[1]/after - p[0]/before
	}
	i := experiment.MeanInterval(terms, "position")
	for _, f := range []*report.Figure{&i.Value, &i.Low, &i.High} {
		f.Value = math.Exp(f.Value / doublings)
	}
	return i
}

// Effort is the amount of a bot's search per move.
type Effort struct {
	Family   string `json:"family"`   // the name, or the spec of a bot named by hand, without the playouts
	Playouts int    `json:"playouts"` // per move; 0 if the bot has no fixed number
}

// effortOf returns a bot's effort according to its spec.
func effortOf(b Bot) Effort {
	kind, options, _ := strings.Cut(b.Spec.String(), ":")
	e := Effort{Family: b.Name}
	for _, o := range strings.Split(options, ",") {
		if n, ok := strings.CutPrefix(o, "playouts="); ok && strings.Contains(options, "time=0,") {
			e.Playouts, _ = strconv.Atoi(n) // a Spec's text has only valid numbers
			label := b.Name
			if named, _, _ := strings.Cut(label, ":"); named != kind {
				label = b.Spec.String() // the name was chosen by hand and does not contain the settings
			}
			e.Family = family(label, kind)
		}
	}
	return e
}

// family returns a name such as "mcts:c=50,playouts=100" without its playouts.
func family(name, kind string) string {
	_, settings, _ := strings.Cut(name, ":")
	others := slices.DeleteFunc(strings.Split(settings, ","), func(o string) bool {
		return o == "" || strings.HasPrefix(o, "playouts=")
	})
	if len(others) == 0 {
		return kind
	}
	return kind + ":" + strings.Join(others, ",")
}
