package puzzles

import (
	"context"
	"math/rand/v2"
	"slices"

	"versus2048/players"
	"versus2048/rules"
)

// The bots that play the games on 4x4. No clock limits their searches, so their moves depend on the seed alone.
const (
	versusBot = "alphabeta:depth=4"
	soloBot   = "expectimax:depth=1"
)

// endings is the source of puzzles on the full board: the last positions of games of strong bots.
type endings struct {
	rules rules.Ruleset
	bot   players.Spec
}

func newEndings(r rules.Ruleset) (source, error) {
	bot := versusBot
	if r.Chance() {
		bot = soloBot
	}
	spec, err := players.Parse(bot)
	return endings{r, spec}, err
}

// candidates plays a game, and searches its positions from the last one backwards. It stops when several in a row
// cannot be decided.
func (e endings) candidates(ctx context.Context, random *rand.Rand) (all []candidate, err error) {
	game, err := e.game(ctx, random)
	if err != nil {
		return nil, err
	}
	s := newSearch(e.rules, rules.Full)
	const patience = 4 // positions
	for i, failures := len(game)-1, 0; i >= 0 && failures < patience && ctx.Err() == nil; i-- {
		p := game[i]
		if p.HasHuge() || len(p.AppendMoves(nil)) < fewestMoves || !slices.Contains(e.rules.Roles(), p.SideToMove()) {
			continue
		}
		scores, decided := s.scores(p)
		if !decided {
			failures++
			continue
		}
		failures = 0
		if c, ok := newCandidate(p, scores); ok {
			all = append(all, c)
		}
	}
	return all, ctx.Err()
}

// game plays a game to its end, and returns all its positions except the final one.
func (e endings) game(ctx context.Context, random *rand.Rand) (all []rules.Position, err error) {
	var seats [2]players.Player
	for side := range seats {
		seats[side] = e.bot.New(players.Game{Seed: random.Uint64(), Rules: e.rules, Size: rules.Full})
	}
	if e.rules.Chance() {
		seats[rules.Attacker] = players.Chance(players.Game{Seed: random.Uint64()})
	}
	for p := rules.NewPosition(e.rules, rules.Full); !p.Over(); {
		all = append(all, p)
		m, err := seats[p.SideToMove()].Choose(ctx, p)
		if err != nil {
			return nil, err
		}
		if p, err = p.Play(m); err != nil {
			return nil, err
		}
	}
	return all, nil
}
