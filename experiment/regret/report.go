package regret

import (
	"versus2048/experiment"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Bot is a bot that was asked.
type Bot struct {
	Name    string
	Spec    players.Spec
	Answers []Answer // in the order of the sample's positions
}

// Report is what came of a sample, for all bots that were asked.
type Report struct {
	Rules    rules.Ruleset `json:"rules"`
	Size     rules.Size    `json:"size"`
	Seed     uint64        `json:"seed"`
	Level    float64       `json:"level"` // of all intervals
	Distinct int           `json:"distinct"`
	Strata   []Drawn       `json:"strata"`
	Bots     []Row         `json:"bots"`
	Steps    []Step        `json:"steps"` // what more playouts bring
}

// Drawn is what was drawn of a stratum.
type Drawn struct {
	Stratum
	Positions int `json:"positions"`
	// Matters is in which share of the positions that were looked at, forced ones
	// included, the choice mattered.
	Matters report.Interval `json:"matters"`
}

// Row is one bot.
type Row struct {
	Name   string `json:"name"`
	Spec   string `json:"spec"` // with all options
	Effort Effort `json:"effort"`
	Parts  []Part `json:"parts"`
}

// NewReport makes the report of bots that were asked the same sample.
func NewReport(s *Sample, bots []Bot) Report {
	r := Report{
		Rules: s.Rules, Size: s.Size, Seed: s.Settings.Seed, Level: experiment.Level,
		Distinct: s.Distinct(), Steps: s.steps(bots),
	}
	for i, stratum := range s.Strata {
		n := s.Count(stratum)
		r.Strata = append(r.Strata, Drawn{stratum, n, experiment.ShareInterval(float64(n), s.Looked[i], "position")})
	}
	for _, b := range bots {
		r.Bots = append(r.Bots, Row{b.Name, b.Spec.String(), effortOf(b), s.parts(b.Answers)})
	}
	return r
}

// part is a row's part of a role and stage, and nil if there is none.
func (r Row) part(role rules.Side, stage int) *Part {
	for i := range r.Parts {
		if r.Parts[i].Role == role && r.Parts[i].Stage == stage {
			return &r.Parts[i]
		}
	}
	return nil
}

// roles are those that bots were asked in.
func (r Report) roles() []rules.Side {
	if r.Rules.Chance() {
		return []rules.Side{rules.Defender}
	}
	return []rules.Side{rules.Defender, rules.Attacker}
}
