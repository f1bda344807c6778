package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"sync/atomic"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Question selects the position and the games that [Reader.Explore] looks for.
type Question struct {
	Position rules.Position // its ply does not matter
	Bot      string         // only games of this bot, in either role; "" for all games
	Event    int64          // only games of this event; 0 for all games
}

// Explored counts the moves that were played in a position and in its symmetric forms.
type Explored struct {
	Games int            `json:"games"` // games that reached the position
	Ended int            `json:"ended"` // games that ended there
	Moves []ExploredMove `json:"moves"` // the most played one first
}

// ExploredMove is a move that was played, together with its images under the symmetries of the position.
type ExploredMove struct {
	Move  rules.Move `json:"move"`
	Games int        `json:"games"`
	// Different is the number of games in the mean. Games of the same bots with the same moves
	// count once. Games without a meaningful score do not count (see tournament.Summary.Scored).
	Different int `json:"different"`
	// Score is the mean final score. A game may have reached the position with another score; its
	// final score is adjusted to the score of the position in the question.
	Score report.Interval `json:"score"`
	Last  []GameAt        `json:"last"` // the last of the games, the latest first
}

// GameAt is a game at a ply.
type GameAt struct {
	Game int64 `json:"game"`
	Ply  int   `json:"ply"`
}

// mostLast is the number of games that an ExploredMove lists.
const mostLast = 5

// Explore counts the moves that were played in a position, in all finished games. A game has the position's sum
// of tiles with the same side to move only once, so each game is replayed only up to there. Two readers share
// the work. Explore calls progress now and then with the number of games that both readers have read so far.
func (s *Reader) Explore(ctx context.Context, q Question, progress func(done, total int)) (*Explored, error) {
	e := newExploration(q)
	total, err := q.count(ctx, s)
	if err != nil {
		return nil, err
	}
	e.report = func() {
		if done := int(e.done.Add(1)); done%reportEvery == 0 {
			progress(done, total)
		}
	}
	if err := e.readAll(ctx, s); err != nil {
		return nil, fmt.Errorf("looking for %v: %w", q.Position, err)
	}
	return e.result(), nil
}

// readAll reads the games with two readers. The first error of one of them ends the other, too.
func (e *exploration) readAll(ctx context.Context, s *Reader) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var readers sync.WaitGroup
	for remainder := range 2 {
		readers.Go(func() {
			if err := e.read(ctx, s, remainder); err != nil {
				end(err)
			}
		})
	}
	readers.Wait()
	return context.Cause(ctx)
}

// reportEvery is the number of games between two reports of progress.
const reportEvery = 250

// Finished identifies the set of finished games. Equal values mean the same games with the same
// results.
type Finished struct {
	Games    int
	Reopened int64 // the number of times that games were taken back or removed since the store was opened
}

// Finished returns a value that identifies the set of finished games. A store from Open counts the games
// again only after it has recorded games, taken them back or removed them.
func (s *Reader) Finished(ctx context.Context) (f Finished, err error) {
	count := func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM games WHERE ending IS NOT NULL
			AND match NOT IN (SELECT id FROM matches WHERE voided_of IS NOT NULL)`).Scan(&f.Games)
	}
	if s.ends == nil {
		err = s.view(ctx, count)
		return f, err
	}
	s.ends.mu.Lock()
	defer s.ends.mu.Unlock()
	f.Reopened = s.ends.reopened.Load() // read before recorded, since takenBack changes recorded first
	recorded := s.ends.recorded.Load()  // read before the count
	if s.ends.known && s.ends.at == recorded {
		f.Games = s.ends.counted
		return f, s.place.check(ctx)
	}
	if err := s.view(ctx, count); err != nil {
		return Finished{}, err
	}
	s.ends.known, s.ends.at, s.ends.counted = true, recorded, f.Games
	return f, nil
}

// Reopened returns the number of times that games were taken back or removed since the store was opened, 0 for a reader.
func (s *Reader) Reopened() int64 {
	if s.ends == nil {
		return 0
	}
	return s.ends.reopened.Load()
}

// ends remembers the number of finished games.
type ends struct {
	recorded atomic.Int64 // grows whenever finished games may have been recorded, or were taken back or removed
	reopened atomic.Int64 // the number of times that games were taken back or removed since the store was opened
	mu       sync.Mutex
	known    bool
	at       int64 // the value of recorded at the time of the count
	counted  int
}

// takenBack notes that finished games were taken back or removed.
func (e *ends) takenBack() {
	e.recorded.Add(1) // first: see Finished
	e.reopened.Add(1)
}

// from returns the tables and conditions for the games that a question is about.
func (q Question) from() (clause string, args []any) {
	s := selection{clause: gameTables + " WHERE ending IS NOT NULL AND event IS NOT NULL"}
	s.add(true, "rules = ? AND size = ?", q.Position.Rules().String(), q.Position.Size().String())
	s.add(q.Event != 0, "event = ?", q.Event)
	s.add(q.Bot != "", plays, q.Bot)
	return s.clause, s.args
}

func (q Question) count(ctx context.Context, s *Reader) (n int, err error) {
	clause, args := q.from()
	err = s.view(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT count(*)`+clause, args...).Scan(&n)
	})
	return n, err
}

// read reads the games with numbers that have this remainder modulo 2.
func (e *exploration) read(ctx context.Context, s *Reader, remainder int) error {
	clause, args := e.question.from()
	starts := newStarts(tournament.Event{Rules: e.question.Position.Rules(), Size: e.question.Position.Size()})
	return s.view(ctx, func(tx *sql.Tx) error {
		return queryEach(ctx, tx, func(row *sql.Rows) error {
			var g exploredGame
			var start, turns sql.RawBytes
			err := row.Scan(&g.id, &start, &turns, &g.attacker, &g.defender, &g.facts.Ending, &g.facts.Plies, &g.facts.Score, &g.selected)
			if err == nil {
				g.facts.Start, err = starts.parse(start)
			}
			if err != nil {
				return fmt.Errorf("game %d: %w", g.id, err)
			}
			e.report()
			return e.look(&g, turns)
		}, `SELECT games.id, start, turns, attacker, defender, ending, plies, score,
			leg = 2 AND json_extract(settings, '$.adjudication.early_decision') IS TRUE`+clause+` AND games.id % 2 = ?`, append(args, remainder)...)
	})
}

// exploredGame is a finished game that may have reached a position.
type exploredGame struct {
	id                 int64
	attacker, defender string
	facts              tournament.Facts
	selected           bool // see tournament.Summary
}

// exploration collects the games that have reached a position.
type exploration struct {
	question   Question
	sum        int
	canonical  rules.Position   // the question's position in canonical form
	back       rules.Symmetry   // turns the canonical form into the position
	symmetries []rules.Symmetry // symmetries that leave the position unchanged
	report     func()           // called after each game that was read
	done       atomic.Int64

	mu      sync.Mutex
	games   int
	ended   int
	moves   map[rules.Move]*exploredMoves
	counted map[uint64]bool // the different games so far, by identity
}

// exploredMoves are the games that played the same move.
type exploredMoves struct {
	games int
	score report.Mean
	last  []GameAt
}

func newExploration(q Question) *exploration {
	p := q.Position
	e := &exploration{question: q, sum: p.Sum(), canonical: p.Canonical(), back: p.CanonicalBy().Inverse(), moves: map[rules.Move]*exploredMoves{}, counted: map[uint64]bool{}}
	for _, y := range p.Size().Symmetries() {
		if y.Position(p) == p {
			e.symmetries = append(e.symmetries, y)
		}
	}
	return e
}

// look adds a game if it has reached the position.
func (e *exploration) look(g *exploredGame, turns []byte) error {
	most := (e.sum-g.facts.Start.Sum())/2 + 2 // turns up to the position; each adds 2 or more to the sum
	if most < 2 {
		return nil
	}
	moves, err := record.UnpackTurns(turns[:min(most, len(turns))], g.facts.Start.SideToMove())
	if err != nil {
		return fmt.Errorf("game %d: %w", g.id, err)
	}
	p, ply := reach(g.facts.Start, moves, e.sum, e.question.Position.SideToMove())
	if ply < 0 || p.Board().Canonical(p.Size()) != e.canonical.Board() || !sameTiles(p.Canonical(), e.canonical) {
		return nil
	}
	g.facts.Line = tournament.LineOf(turns)
	if ply == len(moves) {
		e.add(g, p, ply, nil)
		return nil
	}
	m := e.representative(e.back.Move(p.CanonicalBy().Move(moves[ply], p.Size()), p.Size()))
	e.add(g, p, ply, &m)
	return nil
}

// representative returns the first of m's images under the symmetries of the position.
func (e *exploration) representative(m rules.Move) rules.Move {
	first := m
	for _, y := range e.symmetries {
		first = min(first, y.Move(m, e.canonical.Size()))
	}
	return first
}

// reach plays moves until the tiles have the given sum and the given side is to move. The ply is
// negative if that never happens.
func reach(p rules.Position, moves []rules.Move, sum int, side rules.Side) (at rules.Position, ply int) {
	now := p.Sum()
	for i := 0; now <= sum; i++ {
		switch {
		case now == sum && p.SideToMove() == side:
			return p, i
		case i == len(moves):
			return p, -1
		case moves[i].IsFour():
			now += 4
		case !moves[i].IsSlide():
			now += 2
		}
		p = p.Next(moves[i])
	}
	return p, -1
}

// sameTiles reports whether two positions of one size have the same tiles.
func sameTiles(p, q rules.Position) bool {
	for i := range 16 {
		if p.Exponent(i) != q.Exponent(i) {
			return false
		}
	}
	return true
}

// add adds a game that reached the position as p, after the given number of its moves. m is its
// next move as it would be in the question's position, or nil if there is none.
func (e *exploration) add(g *exploredGame, p rules.Position, ply int, m *rules.Move) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.games++
	if m == nil {
		e.ended++
		return
	}
	all := e.moves[*m]
	if all == nil {
		all = &exploredMoves{}
		e.moves[*m] = all
	}
	all.games++
	all.last = append(all.last, GameAt{g.id, ply})
	slices.SortFunc(all.last, func(a, b GameAt) int { return cmp.Compare(b.Game, a.Game) })
	all.last = all.last[:min(len(all.last), mostLast)]
	summary := g.facts.Summary()
	summary.Selected = g.selected
	if identity := g.identity(); summary.Scored() && !e.counted[identity] {
		all.score.Add(float64(g.facts.Score - p.Score() + e.question.Position.Score()))
		if len(e.counted) < mostCounted {
			e.counted[identity] = true
		}
	}
}

// mostCounted limits how many games are remembered to recognize repeated ones, as
// tournament.Repeats does for matches.
const mostCounted = 1 << 18

// identity returns a number that is the same for games of the same bots with the same start, moves and ending.
func (g *exploredGame) identity() uint64 {
	h := fnv.New64a()
	// Writing to a hash never fails.
	_, _ = fmt.Fprintf(h, "%v\x00%s\x00%s\x00%s\x00", g.facts.Start, g.attacker, g.defender, g.facts.Ending)
	_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(g.facts.Line)))
	return h.Sum64()
}

func (e *exploration) result() *Explored {
	x := &Explored{Games: e.games, Ended: e.ended, Moves: []ExploredMove{}}
	for m, all := range e.moves {
		x.Moves = append(x.Moves, ExploredMove{m, all.games, all.score.Games(), all.score.Interval(), all.last})
	}
	slices.SortFunc(x.Moves, func(a, b ExploredMove) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Move, b.Move))
	})
	return x
}
