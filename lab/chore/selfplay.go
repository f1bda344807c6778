package chore

import (
	"context"
	"sync"
	"sync/atomic"

	"versus2048/players/playout"
	"versus2048/players/puct"
	"versus2048/rules"
)

// Game is a game that was played.
type Game struct {
	Number int
	Turns  []Turn
	Score  int // of the defender at the end
}

// Turn is a position where a search chose the move. Positions with a forced or a random move are no turns.
type Turn struct {
	Position rules.Position
	Visits   []uint16 // of the moves, by puct.Index
	Value    float64  // the final score that the search expected, in points
}

// PlayGames plays the games and returns them in the order of their numbers. If ctx ends, it returns the games that were
// over by then. evaluator makes an Evaluator for each thread, for batches of at most SelfPlaySettings.Together
// positions. PlayGames returns an error for invalid settings, or evaluator's error.
func PlayGames(ctx context.Context, s SelfPlaySettings, evaluator func() (puct.Evaluator, error)) ([]Game, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	evaluators := make([]puct.Evaluator, s.Threads)
	for i := range evaluators {
		var err error
		if evaluators[i], err = evaluator(); err != nil {
			return nil, err
		}
	}
	var next atomic.Int64
	games := make([]*Game, s.Games)
	var group sync.WaitGroup
	for _, e := range evaluators {
		group.Go(func() { (&thread{settings: s, evaluator: e, next: &next, games: games}).run(ctx) })
	}
	group.Wait()
	var played []Game
	for _, g := range games {
		if g != nil {
			played = append(played, *g)
		}
	}
	return played, nil
}

// thread plays several games at once, until all games have begun and its own are over.
type thread struct {
	settings  SelfPlaySettings
	evaluator puct.Evaluator
	next      *atomic.Int64 // the number of games that all threads have begun
	games     []*Game       // finished games of all threads, each at its number
	tables    []*table
	leaves    []rules.Position
	waiting   []*table // the table of each position in leaves
}

func (t *thread) run(ctx context.Context) {
	for len(t.tables) < t.settings.Together {
		table := &table{settings: &t.settings, search: puct.New(t.settings.Search, t.evaluator)}
		if !t.begin(table) {
			break
		}
		t.tables = append(t.tables, table)
	}
	for len(t.tables) > 0 && ctx.Err() == nil {
		t.round()
	}
}

// begin begins the next game. It returns false if there is none.
func (t *thread) begin(at *table) bool {
	n := int(t.next.Add(1)) - 1
	if n >= t.settings.Games {
		return false
	}
	at.begin(n)
	return true
}

// round takes each game to the next position that is to be rated, and rates these together.
func (t *thread) round() {
	t.leaves, t.waiting = t.leaves[:0], t.waiting[:0]
	going := t.tables[:0]
	for _, at := range t.tables {
		leaves := at.advance()
		for len(leaves) == 0 {
			over := at.game // a copy, since the table plays another game next
			t.games[at.number] = &over
			if !t.begin(at) {
				break
			}
			leaves = at.advance()
		}
		if len(leaves) > 0 {
			t.leaves, t.waiting, going = append(t.leaves, leaves...), append(t.waiting, at), append(going, at)
		}
	}
	t.tables = going
	if len(t.leaves) == 0 {
		return
	}
	ratings := t.evaluator.Evaluate(t.leaves)
	for i, at := range t.waiting {
		at.search.Learn(ratings[i : i+1])
	}
}

// table holds one game in progress and its search.
type table struct {
	settings  *SelfPlaySettings
	search    *puct.Search
	random    playout.Generator
	number    int // of the game, from 0
	game      Game
	position  rules.Position
	searching bool
}

// begin begins a game.
func (t *table) begin(number int) {
	t.number = number
	t.game = Game{Number: t.settings.First + number}
	t.random = playout.NewGenerator(t.settings.Seed, uint64(t.game.Number))
	t.position = t.opening()
	t.searching = false
}

// opening returns a position after random plies. The game is not over there.
func (t *table) opening() rules.Position {
	p := rules.NewPosition(t.settings.Rules, t.settings.Size)
	for range t.random.Below(t.settings.Opening + 1) {
		moves := p.AppendMoves(nil)
		next := p.Next(moves[t.random.Below(len(moves))])
		if next.Over() {
			break
		}
		p = next
	}
	return p
}

// advance plays until a position is to be rated, and returns it. It returns nil if the game is over.
func (t *table) advance() []rules.Position {
	for !t.position.Over() {
		if !t.searching {
			if moves := t.position.AppendMoves(nil); len(moves) == 1 {
				t.position = t.position.Next(moves[0])
				continue
			}
			t.search.Begin(t.position, &t.random, t.settings.Simulations)
			t.searching = true
		}
		if t.search.Done() {
			t.play()
		} else if leaves := t.search.Gather(1); len(leaves) > 0 {
			return leaves
		}
	}
	t.game.Score = t.position.Score()
	return nil
}

// play plays the move that the search has chosen.
func (t *table) play() {
	turn := Turn{Position: t.position, Visits: make([]uint16, puct.Outputs(t.settings.Size)), Value: t.search.Value()}
	t.search.Visits(turn.Visits)
	t.game.Turns = append(t.game.Turns, turn)
	temperature := t.settings.Search.Temperature
	if t.position.Ply() >= t.settings.Warm {
		temperature = 0
	}
	t.position = t.position.Next(t.search.Choice(temperature))
	t.searching = false
}
