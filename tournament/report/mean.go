package report

// Mean collects numbers, one for each game, to estimate their mean. The zero Mean is empty. Scores
// have few different values, so it stays small for any number of games.
type Mean struct{ all distribution }

// Add adds a number.
func (m *Mean) Add(x float64) { m.all.add(x) }

// Games returns the number of numbers that were added.
func (m *Mean) Games() int { return m.all.n }

// manyGames is the number of games above which the limit of the bootstrap is computed instead of
// drawn. A reader who waits for an answer would notice the time that drawing takes.
const manyGames = 100

// Interval returns the mean with an interval as in [Estimate], by game. It does not depend on the
// order of the numbers.
func (m *Mean) Interval() Interval {
	i := Interval{Value: m.all.mean("game")}
	if m.all.n < 2 {
		i.Low, i.High = Figure{Needs: "needs 2 games"}, Figure{Needs: "needs 2 games"}
		return i
	}
	var low, high float64
	if m.all.n > manyGames {
		low, high = bootstrapLimit(&m.all, intervalLevel)
	} else {
		low, high = bootstrap(m.sorted(), intervalResamples, intervalLevel, 0)
	}
	i.Low, i.High = Figure{Value: low}, Figure{Value: high}
	return i
}

func (m *Mean) sorted() (all []float64) {
	x, counts := m.all.values()
	for i, value := range x {
		for range int(counts[i]) {
			all = append(all, value)
		}
	}
	return all
}
