package learning

import (
	"context"
	"slices"
	"time"

	"versus2048/internal/parallel"
	"versus2048/players/ntuple"
	"versus2048/rules"
)

// Trainer learns a network from games. Its methods must not be called at the same time.
type Trainer struct {
	settings  Settings
	structure ntuple.Structure
	weights   *weights
	average   *average          // nil if Settings.Average is 0
	teacher   Teacher           // nil for none
	earlier   []*ntuple.Network // earlier selves, the latest last
	past      *past             // nil without restarts
	progress  progress
}

// progress counts the games of a trainer and holds its learning curve.
type progress struct {
	Games uint64        `json:"games"`
	Plies uint64        `json:"plies"`
	Time  time.Duration `json:"nanoseconds"` // of learning
	Curve Curve         `json:"curve"`
	// Stride is the number of rounds between points of the curve, a power of two.
	Stride uint64 `json:"stride"`
	Part   sums   `json:"part"` // of the games since the last point
}

// New returns a trainer that has learned nothing. It returns an error for settings out of range.
func New(s Settings) (*Trainer, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	structure, err := s.structure()
	if err != nil {
		return nil, err
	}
	t := &Trainer{settings: s, structure: structure, weights: newWeights(s, structure), progress: progress{Stride: 1}}
	if s.Restart > 0 {
		t.past = new(past)
	}
	if s.Average > 0 {
		t.average = newAverage(s.Average, structure.Weights())
	}
	return t, nil
}

// Teacher knows exact values of boards. It must be safe for concurrent use.
type Teacher interface {
	// Gain returns the points that the defender will still score from a board with the attacker, or chance, to move. ok
	// is false if the teacher does not know the board.
	Gain(b rules.Board) (points float64, ok bool)
}

// Teach sets the teacher: boards that it knows are learned from its values. Call it before Play.
func (t *Trainer) Teach(teacher Teacher) { t.teacher = teacher }

// Settings returns the settings of the trainer.
func (t *Trainer) Settings() Settings { return t.settings }

// Games returns how many games have been learned from.
func (t *Trainer) Games() uint64 { return t.progress.Games }

// Curve returns the learning curve so far.
func (t *Trainer) Curve() Curve { return t.progress.Curve }

// Round is the largest number of games that one call of Play plays.
const Round = 1000

// mostPoints is the limit of the points of a learning curve.
const mostPoints = 1000

// Play learns from games until the end of the round, or until there have been that many games in
// all. When ctx ends it finishes the games that are being played.
func (t *Trainer) Play(ctx context.Context, games uint64) {
	begin, before := time.Now(), t.progress.Games
	last := min(games, MostGames, t.progress.Games/Round*Round+Round)
	learners, parts := make([]*learner, t.settings.Threads), make([]sums, t.settings.Threads)
	for i := range learners {
		learners[i] = newLearner(t)
	}
	parallel.Each(ctx, len(learners), int(last-min(before, last)), func(worker, i int) {
		parts[worker].add(learners[worker].play(before + uint64(i)))
	})
	for _, part := range parts {
		t.progress.Games += part.Games
		t.progress.Plies += part.Plies
		t.progress.Part.merge(part)
	}
	t.progress.Time += time.Since(begin)
	if rounds := t.progress.Games / Round; t.progress.Games%Round == 0 && t.progress.Games > before {
		t.progress.endRound()
		if t.average != nil && t.average.due(t.progress.Games) {
			t.average.add(t.weights, t.progress.Games)
		}
		if t.settings.Strangers > 0 && powerOfTwo(rounds) {
			t.remember()
		}
	}
}

// endRound adds a point to the learning curve if Stride rounds have passed since the last one. A curve that is
// full loses every second point, and gets points half as often from then on.
func (p *progress) endRound() {
	if p.Games%(p.Stride*Round) != 0 {
		return
	}
	p.Curve = append(p.Curve, p.Part.point(p.Games, p.Plies, p.Time))
	p.Part = sums{}
	if len(p.Curve) < mostPoints {
		return
	}
	p.Stride *= 2
	p.Curve = slices.DeleteFunc(p.Curve, func(at Point) bool { return at.Games%(p.Stride*Round) != 0 })
}

func powerOfTwo(n uint64) bool { return n&(n-1) == 0 }

// mostEarlier is the largest number of earlier selves that play along.
const mostEarlier = 3

// remember adds the present network to the earlier selves. Play calls it after 1, 2, 4, 8 ... rounds, so that the
// earlier selves differ from each other, and from the network most of the time.
func (t *Trainer) remember() {
	n, err := t.network(t.weights.numbers())
	if err != nil {
		return // a weight is not a number: Network will return the error
	}
	t.earlier = append(t.earlier, n)
	if len(t.earlier) > mostEarlier {
		t.earlier = t.earlier[1:]
	}
}

// Network returns the learned network, coarse if Settings.Coarse is above 1. It returns an error if learning has
// diverged, so that a weight is infinite or not a number.
func (t *Trainer) Network() (*ntuple.Network, error) {
	n, err := t.network(t.learned())
	if err != nil || t.settings.Coarse <= 1 {
		return n, err
	}
	return n.Coarse(t.settings.Coarse), nil
}

// learned returns the weights in points, or their average if Settings.Average is set.
func (t *Trainer) learned() []float32 {
	if t.average == nil {
		return t.weights.numbers()
	}
	return t.average.with(t.weights, t.progress.Games)
}

// network returns a network of weights in points.
func (t *Trainer) network(weights []float32) (*ntuple.Network, error) {
	p := &t.progress
	return ntuple.New(t.structure, weights, float64(t.weights.base), ntuple.Recipe{
		Rules: t.settings.Rules, Command: t.settings.Command(p.Games), Games: p.Games, Plies: p.Plies, Time: p.Time,
	})
}
