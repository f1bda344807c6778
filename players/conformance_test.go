package players_test

import (
	"testing"

	"versus2048/players"
	"versus2048/players/playertest"
)

// TestConformance runs the suite for every kind and for options that change the search of a kind: with a small
// budget and, for kinds that search, with a budget that would take far too long.
func TestConformance(t *testing.T) {
	const quick, patient = "playouts=12,expand=2", "playouts=100000000,nodes=10000"
	specs := map[string]struct {
		quick, patient string
		determined     playertest.Determined
		plies          int // of each game; 0 for all
	}{
		"random":    {quick: "random"},
		"greedy":    {quick: "greedy"},
		"chance":    {quick: "chance"},
		"evminimax": {quick: "evminimax:depth=1", patient: "evminimax:depth=16"},
		"evminimax, other options": {
			quick:   "evminimax:depth=2,empty=nothing,mate=10000000,ties=first",
			patient: "evminimax:depth=16,empty=nothing,mate=1000,time=3600000",
		},
		"alphabeta": {quick: "alphabeta:depth=1", patient: "alphabeta:depth=32"},
		"alphabeta, plain": {
			quick:   "alphabeta:depth=2,reductions=false,hurry=false,eval=oka,ties=first",
			patient: "alphabeta:depth=32,reductions=false,hurry=false,eval=oka",
		},
		"alphabeta, keep":       {"alphabeta:depth=2,keep=true", "alphabeta:depth=32,keep=true,table=10", playertest.ByGame, 0},
		"alphabeta, threads":    {"alphabeta:depth=2,threads=2", "alphabeta:depth=32,threads=3", playertest.ByNothing, 0},
		"champion":              {"champion:time=1", "champion:time=3600000", playertest.ByNothing, 200},
		"mcts":                  {quick: "mcts:" + quick, patient: "mcts:" + patient},
		"mcts, threads":         {"mcts:threads=3," + quick, "mcts:threads=2," + patient, playertest.ByNothing, 0},
		"mcts, reuse":           {"mcts:reuse=true," + quick, "mcts:reuse=true," + patient, playertest.ByGame, 0},
		"mcts, few nodes":       {quick: "mcts:nodes=64," + quick},
		"mctsplus":              {quick: "mctsplus:playouts=12", patient: "mctsplus:" + patient},
		"mctsplus, to the end":  {quick: "mctsplus:slides=1000000,leaf=3,c=200," + quick, patient: "mctsplus:slides=1000000," + patient},
		"mctsplus, cut off":     {quick: "mctsplus:slides=5,reward=log,backup=ancestors," + quick, patient: "mctsplus:slides=5,reward=rank,backup=minimax," + patient},
		"mctsplus, corner":      {quick: "mctsplus:slides=5,policy=corner," + quick, patient: "mctsplus:slides=1000000,policy=corner," + patient},
		"mctsplus, merge":       {quick: "mctsplus:slides=5,policy=merge,canonical=false," + quick, patient: "mctsplus:slides=1000000,policy=merge," + patient},
		"mctsplus, duel":        {quick: "mctsplus:slides=5,policy=duel,reward=rank," + quick, patient: "mctsplus:slides=1000000,policy=duel," + patient},
		"dag":                   {quick: "dag:" + quick, patient: "dag:" + patient},
		"dag, canonical":        {quick: "dag:canonical=true," + quick, patient: "dag:canonical=true," + patient},
		"dag, threads":          {"dag:threads=3," + quick, "dag:threads=2," + patient, playertest.ByNothing, 0},
		"dag, reuse":            {"dag:reuse=true," + quick, "dag:reuse=true," + patient, playertest.ByGame, 0},
		"dag, all of these":     {"dag:threads=2,reuse=true,canonical=true," + quick, "dag:threads=2,reuse=true,canonical=true," + patient, playertest.ByNothing, 0},
		"ov3y":                  {quick: "ov3y:depth=1,time=0", patient: "ov3y:time=3600000"},
		"ov3y, as the original": {quick: "ov3y:depth=2,time=0,exact=true", patient: "ov3y:time=3600000,exact=true"},
		"ov3y, other options":   {quick: "ov3y:depth=2,time=0,win=false,cache=true,eval=oka", patient: "ov3y:time=0,win=false,cache=true,eval=oka"},
		"ov3y, threads":         {"ov3y:depth=2,time=0,threads=2", "ov3y:time=0,threads=3", playertest.ByNothing, 0},
		"expectimax":            {quick: "expectimax:depth=1", patient: "expectimax:depth=31"},
		"expectimax, worst":     {quick: "expectimax:depth=1,model=worst,eval=ov3y", patient: "expectimax:depth=31,model=worst,eval=ov3y"},
		"expectimax, even":      {quick: "expectimax:depth=2,model=even,eval=score,rare=20", patient: "expectimax:depth=31,model=even,eval=score,rare=1000000000"},
	}
	for _, k := range players.Kinds() {
		if k.Name == "ntuple" || k.Name == "perfect" || methods[k.Name] {
			continue // see TestNTupleConforms, TestPerfectConforms, TestInstinctConforms and TestGuidedConform
		}
		if _, ok := specs[k.Name]; !ok && !k.NeedsFile() {
			t.Errorf("%s is not tested", k.Name)
		}
	}
	for name, spec := range specs {
		t.Run(name, func(t *testing.T) {
			suite := playertest.Suite{New: factory(t, spec.quick), Ended: true, Determined: spec.determined, Plies: spec.plies}
			if spec.patient != "" {
				suite.Patient = factory(t, spec.patient)
			}
			playertest.Run(t, suite)
		})
	}
}

// methods are the kinds with networks that are trained in Python. They need a file unless the program comes
// with such networks.
var methods = map[string]bool{"td": true, "dqn": true, "cnn": true, "ppo": true, "az": true, "muzero": true}

func factory(t *testing.T, text string) func(*testing.T, playertest.Setting) players.Player {
	t.Helper()
	spec, err := players.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return func(_ *testing.T, g playertest.Setting) players.Player { return spec.New(players.Game{Seed: g.Seed}) }
}
