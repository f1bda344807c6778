package rating

// Trinomial counts single matches by their outcome, from one bot's side.
type Trinomial struct {
	Loss int64 `json:"loss"`
	Draw int64 `json:"draw"`
	Win  int64 `json:"win"`
}

// Pentanomial counts pairs of matches on one opening by the points that a bot
// made of them: 0, 1/2, 1, 3/2, 2. The two matches of a pair depend on each
// other, the pairs do not.
type Pentanomial [5]int64

// Counts are the outcomes of independent trials from one bot's side: a
// [Trinomial] of single matches, or a [Pentanomial] of pairs.
type Counts interface {
	// outcomes counts the trials by score, worst first. The scores are equally
	// spaced from 0 to 1: a trial's points as a share of what it has to give.
	outcomes() []int64
	// size is how many matches a trial is.
	size() int64
}

func (t Trinomial) outcomes() []int64 { return []int64{t.Loss, t.Draw, t.Win} }
func (t Trinomial) size() int64       { return 1 }

func (p Pentanomial) outcomes() []int64 { return p[:] }
func (p Pentanomial) size() int64       { return 2 }

// Reversed is the same from the other bot's side.
func (t Trinomial) Reversed() Trinomial { return Trinomial{Loss: t.Win, Draw: t.Draw, Win: t.Loss} }

// Reversed is the same from the other bot's side.
func (p Pentanomial) Reversed() Pentanomial { return Pentanomial{p[4], p[3], p[2], p[1], p[0]} }

// Trials is how many outcomes are counted.
func Trials(c Counts) int64 {
	var n int64
	for _, k := range c.outcomes() {
		n += k
	}
	return n
}
