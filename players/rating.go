package players

import (
	"cmp"
	"math"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// slideRater rates the legal slides in at most atOnce positions, the best slide first. No position may be over.
type slideRater func(c *neuralChooser, ps []rules.Position) [][]record.RootMove

// slides are all slides, in the order of a network's outputs.
var slides = [...]rules.Move{rules.North, rules.South, rules.West, rules.East}

// identity is the list of symmetries that makes givePositions use the boards as they are.
var identity = []rules.Symmetry{0}

// run computes a function of the network for the boards that the evaluator was given last. Evaluators return an
// error for a function that the network does not have. This cannot happen, since open has checked that the network
// has all functions of its method.
func (c *neuralChooser) run(function string) []float32 {
	out, err := c.evaluator.Run(function)
	if err != nil {
		panic(err)
	}
	return out
}

// legalSlides returns the legal slides in a position, without values and with one visit each.
func legalSlides(p rules.Position) []record.RootMove {
	var list []record.RootMove
	for _, m := range p.AppendMoves(make([]rules.Move, 0, len(slides))) {
		list = append(list, record.RootMove{Move: m, Visits: 1})
	}
	return list
}

// giveAfterstates gives the evaluator the boards after the legal slides in all positions, and returns the slides.
// On these boards the attacker is to move.
func (c *neuralChooser) giveAfterstates(ps []rules.Position) [][]record.RootMove {
	var rated [][]record.RootMove
	var boards []rules.Board
	for _, p := range ps {
		legal := legalSlides(p)
		for _, m := range legal {
			boards = append(boards, p.Next(m.Move).Board())
		}
		rated = append(rated, legal)
	}
	c.evaluator.Boards(boards, slices.Repeat([]bool{true}, len(boards)))
	return rated
}

// valueAfter sets the value of each slide: the score after the slide, plus the score that is expected from there
// on. The evaluator has the boards of giveAfterstates.
func (c *neuralChooser) valueAfter(ps []rules.Position, rated [][]record.RootMove) {
	out := c.run("value")
	width := c.network.Description().Value.Outputs()
	for k, p := range ps {
		for j := range rated[k] {
			m := &rated[k][j]
			m.Value = float64(p.Next(m.Move).Score()) + c.network.Points(out[:width])
			out = out[width:]
		}
	}
}

// rateValues rates slides by the values of the boards after them.
func rateValues(c *neuralChooser, ps []rules.Position) [][]record.RootMove {
	rated := c.giveAfterstates(ps)
	c.valueAfter(ps, rated)
	for _, moves := range rated {
		slices.SortStableFunc(moves, func(a, b record.RootMove) int { return cmp.Compare(b.Value, a.Value) })
	}
	return rated
}

// rateQ rates slides by the network's value of each slide, which includes the points of the slide itself.
func rateQ(c *neuralChooser, ps []rules.Position) [][]record.RootMove {
	c.givePositions(ps, identity)
	out := c.run("q")
	width := c.network.Description().Value.Outputs()
	var rated [][]record.RootMove
	for k, p := range ps {
		moves := legalSlides(p)
		for j := range moves {
			q := out[(k*len(slides)+int(moves[j].Move-rules.North))*width:][:width]
			moves[j].Value = float64(p.Score()) + c.network.Points(q)
		}
		slices.SortStableFunc(moves, func(a, b record.RootMove) int { return cmp.Compare(b.Value, a.Value) })
		rated = append(rated, moves)
	}
	return rated
}

// givePositions gives the evaluator the boards of positions: for each position the images of its board under the
// symmetries.
func (c *neuralChooser) givePositions(ps []rules.Position, symmetries []rules.Symmetry) {
	var boards []rules.Board
	for _, p := range ps {
		for _, y := range symmetries {
			boards = append(boards, y.Board(p.Board(), p.Size()))
		}
	}
	c.evaluator.Boards(boards, nil)
}

// ratePolicy rates slides by a policy, or by the votes of the policies of symmetric boards. A value is the share
// of the slide in the policy, in percent, averaged over the boards.
func ratePolicy(c *neuralChooser, ps []rules.Position) [][]record.RootMove {
	symmetries := c.network.Size().Symmetries()
	symmetries = symmetries[:min(len(symmetries), c.boards)]
	c.givePositions(ps, symmetries)
	out := c.run("policy")
	var rated [][]record.RootMove
	for _, p := range ps {
		moves := legalSlides(p)
		for j := range moves {
			moves[j].Visits = 0
		}
		for _, y := range symmetries {
			vote(moves, p.Size(), y, out)
			out = out[len(slides):]
		}
		for j := range moves {
			moves[j].Prior /= float64(len(symmetries))
			moves[j].Value = 100 * moves[j].Prior
		}
		slices.SortStableFunc(moves, func(a, b record.RootMove) int {
			return cmp.Or(cmp.Compare(b.Visits, a.Visits), cmp.Compare(b.Prior, a.Prior))
		})
		rated = append(rated, moves)
	}
	return rated
}

// vote adds the policy for one image of a board, the image under y, to the priors of the moves. The move with the
// largest share also gets a visit, which is the vote of the image. If several moves have the largest share, the vote
// goes to the one with the first output on the image.
func vote(moves []record.RootMove, s rules.Size, y rules.Symmetry, logits []float32) {
	output := func(m record.RootMove) rules.Move { return y.Move(m.Move, s) - rules.North }
	policy := softmax(len(moves), func(j int) float32 { return logits[output(moves[j])] })
	best := 0
	for j, share := range policy {
		moves[j].Prior += share
		if share > policy[best] || share == policy[best] && output(moves[j]) < output(moves[best]) {
			best = j
		}
	}
	moves[best].Visits++
}

// ratePreferences rates slides by a policy: one logit for each slide, or one for the board after each slide. The policy
// decides the order of the slides; valueAfter sets their values.
func ratePreferences(c *neuralChooser, ps []rules.Position) [][]record.RootMove {
	rated := c.giveAfterstates(ps)
	c.valueAfter(ps, rated)
	if c.network.Has("preference") {
		out := c.run("preference")
		for _, moves := range rated {
			prefer(moves, func(j int) float32 { return out[j] })
			out = out[len(moves):]
		}
		return rated
	}
	c.givePositions(ps, identity)
	out := c.run("policy")
	for k, moves := range rated {
		logits := out[k*len(slides):]
		prefer(moves, func(j int) float32 { return logits[moves[j].Move-rules.North] })
	}
	return rated
}

// prefer sets the priors to the shares of a policy, and sorts the moves by falling shares.
func prefer(moves []record.RootMove, logit func(j int) float32) {
	for j, share := range softmax(len(moves), logit) {
		moves[j].Prior = share
	}
	slices.SortStableFunc(moves, func(a, b record.RootMove) int { return cmp.Compare(b.Prior, a.Prior) })
}

// softmax returns the shares of n logits. It returns equal shares if a bad network's logits are not numbers.
func softmax(n int, logit func(j int) float32) []float64 {
	most := float32(math.Inf(-1))
	for j := range n {
		most = max(most, logit(j))
	}
	shares, sum := make([]float64, n), 0.0
	for j := range shares {
		shares[j] = math.Exp(float64(logit(j) - most))
		sum += shares[j]
	}
	for j := range shares {
		if shares[j] /= sum; math.IsNaN(shares[j]) {
			shares[j] = 1 / float64(n)
		}
	}
	return shares
}
