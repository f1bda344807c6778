package labcmd

import (
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/schema"
	"versus2048/lab/census"
	"versus2048/lab/claims"
	"versus2048/lab/experiment"
	"versus2048/lab/experiment/regret"
	"versus2048/lab/proof/check"
	"versus2048/lab/puzzles"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/players/neural"
)

// outputsVersion is the version of the outputs. It is raised when something is removed or changes its meaning, but not
// when something is added.
const outputsVersion = 1

// plainGoal and judgedGoal are the form of a goal in JSON.
type (
	plainGoal  experiment.Goal
	judgedGoal struct {
		plainGoal
		Result string `json:"result"`
	}
)

func TestSchema(t *testing.T) {
	schema.SameOutputs(t, "lab", outputsVersion, map[string]any{
		"solve": schema.Several{solveReport{}, []grownLayer{}, retrograde.CappedReport{}}, "probe": exact.Probe{}, "prove": proveReport{}, "bound": boundReport{},
		"check-proof": check.Result{}, "shortest": shortestGames{}, "puzzles": []puzzles.Kind{},
		"claims": []claimView{}, "claims show": []claimView{}, "claims verify": []claims.Outcome{}, "claims stale": []claims.Change{},
		"census": schema.Several{census.Report{}, census.Verification{}}, "regret": regret.Report{}, "network": networkView{},
		"experiment table1": experiment.Table1{}, "experiment tree": experiment.TreeReport{},
		"experiment improvements": experiment.Improvements{}, "experiment strength": experiment.Strength{},
		"experiment contest": experiment.Contest{}, "tune": experiment.Tuned{}, "experiment learning": regret.LearnedReport{}, "version": cmdline.Build{},
	}, schema.Stand{For: experiment.Goal{}, In: judgedGoal{}}, schema.Stand{For: neural.Source{}, In: schema.Several{"", 0}})
}
