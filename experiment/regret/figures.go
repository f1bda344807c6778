package regret

import (
	"versus2048/experiment"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Figures are what a bot's answers in some positions come to.
type Figures struct {
	Positions int             `json:"positions"`
	Optimal   report.Interval `json:"optimal"` // share of optimal moves, 0 to 1; Wilson
	Loss      report.Interval `json:"loss"`    // mean, in points a move; Student's t
	Worst     *Mistake        `json:"worst"`   // nil if no move loses anything
}

// Mistake is a move that loses value.
type Mistake struct {
	Position string     `json:"position"`
	Move     rules.Move `json:"move"`
	Loss     float64    `json:"loss"`
}

// Part is the figures of a bot in a role, in a stage or in all.
type Part struct {
	Role  rules.Side `json:"role"`
	Stage int        `json:"stage"` // from 1; 0 for all together
	Figures
}

// parts are a bot's figures by role, first all stages together and then each.
func (s *Sample) parts(answers []Answer) (parts []Part) {
	for i, stratum := range s.Strata {
		if i%Stages == 0 {
			parts = append(parts, s.part(answers, Stratum{stratum.Role, 0}))
		}
		parts = append(parts, s.part(answers, stratum))
	}
	return parts
}

func (s *Sample) part(answers []Answer, of Stratum) Part {
	part := Part{Role: of.Role, Stage: of.Stage}
	optimal := 0
	var losses []float64
	for i, p := range s.Positions {
		if !of.holds(p.Stratum) {
			continue
		}
		a := answers[i]
		losses = append(losses, a.Loss)
		if a.Loss == 0 {
			optimal++
		} else if part.Worst == nil || a.Loss > part.Worst.Loss {
			part.Worst = &Mistake{p.Position.String(), a.Move, a.Loss}
		}
	}
	part.Positions = len(losses)
	part.Optimal = experiment.ShareInterval(float64(optimal), len(losses), "position")
	part.Loss = experiment.MeanInterval(losses, "position")
	return part
}

// holds tells whether the positions of a stratum count; stage 0 stands for all.
func (s Stratum) holds(other Stratum) bool {
	return s.Role == other.Role && (s.Stage == 0 || s.Stage == other.Stage)
}
