package players

import (
	"fmt"

	"versus2048/players/neural"
	"versus2048/players/puct"
	"versus2048/rules"
)

// guidedOptions are the options of the kinds az and muzero.
type guidedOptions struct {
	weights neuralWeights
	search  puct.Config
	budget  budget
	percent struct{ init, noise, alpha, temperature int } // the values of these fields of search, in percent
	seed    uint64
}

func azKind() Kind {
	return entry[guidedOptions]{
		name:    "az",
		summary: "the search of AlphaZero (Silver et al. 2018), with a network that was trained for both roles",
		options: func(o *guidedOptions) []setting {
			return append(o.settings("az", "100"),
				number(&o.search.Batch, Option{
					Name: "batch", Default: "1", Least: 1, Most: 1024,
					Meaning: "positions that the network rates at once, between two looks at the clock: a larger batch is faster, but searches less well",
				}),
				toggle(&o.search.Reuse, Option{
					Name: "reuse", Default: "false",
					Meaning: "start from the tree of the search for the previous move; the moves then depend on the whole game",
				}),
				scaledOption(&o.search.Scaled, puct.Tree),
				seedOption(&o.seed))
		},
		open:  func(o *guidedOptions) error { return o.weights.open() },
		plays: func(o guidedOptions, r rules.Ruleset, s rules.Size) error { return o.weights.plays(r, s) },
		need: func(o guidedOptions) Need {
			need := o.need(o.search.Batch)
			if o.search.Reuse {
				need.Memory += o.treeBytes(puctNodeBytes) // the tree of the previous search
			}
			return need
		},
		player: guidedOptions.az,
	}.kind()
}

func muZeroKind() Kind {
	return entry[guidedOptions]{
		name:    "muzero",
		summary: "the search of Stochastic MuZero (Antonoglou et al. 2022), with a learned model of the game against chance",
		options: func(o *guidedOptions) []setting {
			// With more simulations than in training it plays worse: docs/notes/2026-11-29-learning.md.
			return append(o.settings("muzero", "16"), scaledOption(&o.search.Scaled, puct.Siblings), seedOption(&o.seed))
		},
		open:  (*guidedOptions).openModel,
		plays: func(o guidedOptions, r rules.Ruleset, s rules.Size) error { return o.weights.plays(r, s) },
		need: func(o guidedOptions) Need {
			need := o.need(1)
			need.Memory += o.treeBytes(o.weights.stateBytes())
			return need
		},
		player: guidedOptions.muZero,
	}.kind()
}

// openModel opens the file, if there is one. Its network must be a model for the search.
func (o *guidedOptions) openModel() error {
	err := o.weights.open()
	if err != nil || o.weights.network == nil {
		return err
	}
	if _, err := puct.NewNetworkModel(o.weights.network); err != nil {
		return fmt.Errorf("weights=%s: %w", o.weights.path, err)
	}
	return nil
}

// settings binds the options that az and muzero have in common.
func (o *guidedOptions) settings(method, simulations string) []setting {
	percent := func(field *int, name, byDefault string, least, most uint64, meaning string) setting {
		return number(field, Option{Name: name, Default: byDefault, Least: least, Most: most, Meaning: meaning + ", in percent"})
	}
	return []setting{
		o.weights.setting(method),
		number(&o.budget.playouts, Option{
			Name: "simulations", Default: simulations, Least: 1, Most: 100_000_000,
			Meaning: "positions that the search visits for each move",
		}),
		o.budget.timeSetting(timeOption.Default, ", instead of a number of simulations"),
		number(&o.search.Nodes, Option{
			Name: nodesOption.Name, Default: "100000", Least: nodesOption.Least, Most: nodesOption.Most,
			Meaning: "positions kept at most, up to 700 bytes each; at this limit the search ends",
		}),
		percent(&o.percent.init, "c", "125", 0, 100_000, "c_init of the exploration"),
		number(&o.search.Base, Option{
			Name: "base", Default: "19652", Least: 1, Most: 1_000_000_000,
			Meaning: "c_base of the exploration: with a larger one, exploration grows later",
		}),
		percent(&o.percent.noise, "noise", "0", 0, 100, "Dirichlet noise in the policy at the root"),
		percent(&o.percent.alpha, "alpha", "30", 1, 10_000, "parameter of that noise"),
		percent(&o.percent.temperature, "temperature", "0", 0, 10_000, "the move is drawn by visits^(1/temperature), 0 takes the most visited"),
	}
}

func scaledOption(field *puct.Scaled, byDefault puct.Scaled) setting {
	return number(field, Option{
		Name: "scaled", Default: byDefault.String(), Choices: wordsUpTo(puct.Siblings),
		Meaning: "how a move's value is scaled before the policy is added: between the extremes of all values in the tree, or of the moves of the same position",
	})
}

// config returns the configuration of a search.
func (o guidedOptions) config() puct.Config {
	c := o.search
	c.Init, c.Noise = float64(o.percent.init)/100, float64(o.percent.noise)/100
	c.Alpha, c.Temperature = float64(o.percent.alpha)/100, float64(o.percent.temperature)/100
	return c
}

func (o guidedOptions) az(g Game) Player {
	return o.weights.player(func(n *neural.Network) Player {
		network, err := puct.NewNetwork(n, o.search.Batch)
		if err != nil {
			panic(err) // open has checked the method
		}
		return o.bot(g, puct.New(o.config(), network))
	})
}

func (o guidedOptions) muZero(g Game) Player {
	return o.weights.player(func(n *neural.Network) Player {
		model, err := puct.NewNetworkModel(n)
		if err != nil {
			panic(err) // openModel has checked the network
		}
		return o.bot(g, puct.NewModelSearch(o.config(), model))
	})
}

func (o guidedOptions) bot(g Game, s simulator) Player {
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: o.budget.chooser(g, playoutSearch{s})}
}

// puctNodeBytes is the memory of a position with its moves, rounded up. In a tree of 20,000 positions of 4x4 with 2s
// and 4s to place, a position takes 250 bytes, and up to 640 while the tree grows.
const puctNodeBytes = 700

// puctEdgeBytes is the memory of a move, or of one chance code.
const puctEdgeBytes = 12

// treeBytes returns the memory of the largest tree of a search, with nodeBytes for each position.
func (o guidedOptions) treeBytes(nodeBytes uint64) uint64 {
	most := uint64(o.search.Nodes)
	if o.budget.milliseconds == 0 && !o.search.Reuse { // a kept tree grows with each search
		most = min(most, uint64(o.budget.playouts)+uint64(o.search.Batch)+1)
	}
	return most * nodeBytes
}

func (o guidedOptions) need(batch int) Need {
	return Need{Memory: leastMemory + o.weights.memory(batch) + o.treeBytes(puctNodeBytes), Threads: 1}
}
