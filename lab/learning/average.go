package learning

import "math"

// average is a weighted mean of the weights over all games so far. Late games count more than early ones: the
// weights after game t count in proportion to t^(power-1) (polynomial-decay averaging: Shamir and Zhang 2013,
// section 4). The weights themselves do not converge, since they follow the last games, but their mean does (Polyak and
// Juditsky 1992). Learning can update the mean without knowing when learning will end. It never reads the mean.
type average struct {
	power   float64
	games   uint64    // the number of games when weights were last added; 0 for none
	weights []float32 // in points
}

// newAverage returns a mean of this number of weights. The mean covers roughly the last part of all games: share is
// that part, above 0 and at most 1.
func newAverage(share float64, weights int) *average {
	return &average{power: 1 / share, weights: make([]float32, weights)}
}

// growth is a share of the games so far: weights are added again once that many games more have been played. An
// addition costs a pass over all weights.
const growth = 1. / 32

// due reports whether weights should be added after that many games.
func (a *average) due(games uint64) bool {
	return float64(games) >= (1+growth)*float64(a.games)
}

// add adds the weights after that many games, which must be more than at the last addition.
func (a *average) add(w *weights, games uint64) {
	share := a.share(games)
	for i := range a.weights {
		// Most weights of a large network are 0.
		if now := w.at(uint32(i)); now != a.weights[i] {
			a.weights[i] += float32(share * (now - a.weights[i]))
		}
	}
	a.games = games
}

// share returns the share that the weights after that many games get in the mean.
func (a *average) share(games uint64) float32 {
	return float32(1 - math.Pow(float64(a.games)/float64(games), a.power))
}

// with returns the mean as it would be if the weights after that many games were added. It changes nothing.
func (a *average) with(w *weights, games uint64) []float32 {
	all, share := w.numbers(), float32(1)
	if games > 0 {
		share = a.share(games)
	}
	for i, mean := range a.weights {
		all[i] = mean + float32(share*(all[i]-mean))
	}
	return all
}
