package chore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"versus2048/internal/disk"
	"versus2048/lab/selfplay"
	"versus2048/players"
	"versus2048/players/neural"
	"versus2048/players/puct"
	"versus2048/rules"
)

// GamesSettings describes the games of a batch, which AlphaZero's search plays against itself: see
// selfplay.Settings. They use the network of the bot, which must be an az; its other options do not count.
type GamesSettings struct {
	Rules       rules.Ruleset `json:"rules"`
	Size        rules.Size    `json:"size"`
	First       int           `json:"first"`
	Games       int           `json:"games"` // 1 to MostGames
	Seed        uint64        `json:"seed"`
	Opening     int           `json:"opening"`
	Warm        int           `json:"warm"`
	Simulations int           `json:"simulations"`
	Noise       float64       `json:"noise"`
	Alpha       float64       `json:"alpha"`
	Temperature float64       `json:"temperature"`
	Network     string        `json:"network"` // the file's checksum, by Sum: the arena's file must be the same
}

// Games is the result.
type Games struct {
	Games []Game `json:"games"`
}

// Game is a game by its number, with the points at its end.
type Game struct {
	Number int    `json:"number"`
	Score  int    `json:"score"`
	Turns  []Turn `json:"turns"`
}

// Turn is a turn of a game: see selfplay.Turn.
type Turn struct {
	Position string   `json:"position"`
	Visits   []uint16 `json:"visits"`
	Value    float64  `json:"value"`
}

// MostGames is the largest number of games in a batch. batchGames is the number that NewGames puts into a
// batch, so that the network rates the positions of all these games together. A batch takes a few seconds: a
// worker's death costs no more.
const (
	MostGames  = 1000
	batchGames = 16
)

// NewGames returns the settings of batches that together contain all games of the settings.
func NewGames(s selfplay.Settings, network string) (all []GamesSettings) {
	one := GamesSettings{
		Rules: s.Rules, Size: s.Size, Seed: s.Seed, Opening: s.Opening, Warm: s.Warm, Simulations: s.Simulations,
		Noise: s.Search.Noise, Alpha: s.Search.Alpha, Temperature: s.Search.Temperature, Network: network,
	}
	for n := 0; n < s.Games; n += batchGames {
		one.First, one.Games = s.First+n, min(batchGames, s.Games-n)
		all = append(all, one)
	}
	return all
}

// settings returns the settings of the games, which are played together in one thread.
func (s GamesSettings) settings() selfplay.Settings {
	out := selfplay.Defaults(s.Rules, s.Size)
	out.First, out.Games, out.Together, out.Seed, out.Opening, out.Warm = s.First, s.Games, s.Games, s.Seed, s.Opening, s.Warm
	out.Simulations, out.Search.Noise, out.Search.Alpha, out.Search.Temperature = s.Simulations, s.Noise, s.Alpha, s.Temperature
	return out
}

// Sum returns the checksum of a network's file.
func Sum(path string) (string, error) {
	data, err := disk.Read(path)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// List returns the games. It returns an error if a position cannot be read.
func (g Games) List(r rules.Ruleset) (all []selfplay.Game, err error) {
	for _, game := range g.Games {
		one := selfplay.Game{Number: game.Number, Score: game.Score}
		for _, t := range game.Turns {
			p, err := rules.ParsePosition(r, t.Position)
			if err != nil {
				return nil, fmt.Errorf("game %d: %w", game.Number, err)
			}
			one.Turns = append(one.Turns, selfplay.Turn{Position: p, Visits: t.Visits, Value: t.Value})
		}
		all = append(all, one)
	}
	return all, nil
}

// open opens the network of the bot, which has to play the games.
func (s GamesSettings) open(bot players.Spec) (*neural.Network, error) {
	if s.Games > MostGames {
		return nil, fmt.Errorf("%d games: want at most %d in a batch", s.Games, MostGames)
	}
	if err := s.settings().Validate(); err != nil {
		return nil, err
	}
	files := bot.Files()
	if bot.Kind() != "az" || len(files) != 1 {
		return nil, fmt.Errorf("bot %v: want az:weights=FILE", bot)
	}
	if err := bot.Plays(s.Rules, s.Size); err != nil {
		return nil, err
	}
	switch sum, err := Sum(files[0]); {
	case err != nil:
		return nil, err
	case sum != s.Network:
		return nil, fmt.Errorf("%s has the checksum %.12s, the network of the games %.12q: copy the same file to both", files[0], sum, s.Network)
	}
	return neural.Open(files[0])
}

func playGames(ctx context.Context, bot players.Spec, s GamesSettings) (out Games, err error) {
	network, err := s.open(bot)
	if err != nil {
		return out, err
	}
	games, err := selfplay.Play(ctx, s.settings(), func() (puct.Evaluator, error) { return puct.NewNetwork(network, s.Games) })
	if err == nil {
		err = ctx.Err() // some games may be missing
	}
	for _, g := range games {
		one := Game{Number: g.Number, Score: g.Score, Turns: []Turn{}}
		for _, t := range g.Turns {
			one.Turns = append(one.Turns, Turn{t.Position.String(), t.Visits, t.Value})
		}
		out.Games = append(out.Games, one)
	}
	return out, err
}

// checkGames checks that the result contains the games of the settings, and that each turn visits only legal
// moves, as often as the search had simulations.
func checkGames(s GamesSettings, result Games) error {
	games, err := result.List(s.Rules)
	if err == nil && len(games) != s.Games {
		err = fmt.Errorf("%d games, not %d", len(games), s.Games)
	}
	if err != nil {
		return err
	}
	for i, g := range games {
		if g.Number != s.First+i {
			return fmt.Errorf("game %d in the place of %d", g.Number, s.First+i)
		}
		for n, t := range g.Turns {
			if err := s.checkTurn(t); err != nil {
				return fmt.Errorf("game %d, turn %d: %w", g.Number, n, err)
			}
			if t.Position.Score() > g.Score || n > 0 && t.Position.Ply() <= g.Turns[n-1].Position.Ply() {
				return fmt.Errorf("game %d, turn %d: %v does not follow, or ends above %d points", g.Number, n, t.Position, g.Score)
			}
		}
	}
	return nil
}

func (s GamesSettings) checkTurn(t selfplay.Turn) error {
	if t.Position.Size() != s.Size || t.Position.Over() || len(t.Visits) != puct.Outputs(s.Size) || math.IsNaN(t.Value) {
		return fmt.Errorf("position %v with %d visits: want a game of %v that goes on, and %d", t.Position, len(t.Visits), s.Size, puct.Outputs(s.Size))
	}
	legal, all := 0, 0
	for _, m := range t.Position.AppendMoves(nil) {
		legal += int(t.Visits[puct.Index(m, s.Size)])
	}
	for _, n := range t.Visits {
		all += int(n)
	}
	if legal != all || all < 1 || all > s.Simulations {
		return fmt.Errorf("%d visits, %d of legal moves: want 1 to %d", all, legal, s.Simulations)
	}
	return nil
}
