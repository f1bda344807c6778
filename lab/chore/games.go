package chore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"versus2048/internal/disk"
	"versus2048/players"
	"versus2048/players/neural"
	"versus2048/players/puct"
	"versus2048/rules"
)

// GamesSettings describes the games of a batch, which AlphaZero's search plays against itself: see [SelfPlaySettings].
// They use the network of the batch's bot, which must be of the kind az. The bot's other options are ignored.
type GamesSettings struct {
	Rules       rules.Ruleset `json:"rules"`
	Size        rules.Size    `json:"size"`
	First       int           `json:"first"`
	Count       int           `json:"games"` // 1 to MostGames
	Seed        uint64        `json:"seed"`
	Opening     int           `json:"opening"`
	Warm        int           `json:"warm"`
	Simulations int           `json:"simulations"`
	Noise       float64       `json:"noise"`
	Alpha       float64       `json:"alpha"`
	Temperature float64       `json:"temperature"`
	Network     string        `json:"network"` // the Checksum of the network's file
}

// GamesResult is the result of a batch of games.
type GamesResult struct {
	Games []GameResult `json:"games"`
}

// GameResult is one game: its number, its final score and its turns.
type GameResult struct {
	Number int          `json:"number"`
	Score  int          `json:"score"`
	Turns  []TurnResult `json:"turns"`
}

// TurnResult is a turn of a game: see [Turn].
type TurnResult struct {
	Position string   `json:"position"`
	Visits   []uint16 `json:"visits"`
	Value    float64  `json:"value"`
}

// MostGames is the largest number of games in a batch.
const MostGames = 1000

// batchGames is the number of games that SplitGames puts into a batch. The network rates the positions of these
// games together. A batch takes a few seconds, so a worker that dies loses no more than that.
const batchGames = 16

// SplitGames splits the games of s into batches, and returns the settings of each. network is the [Checksum] of
// the network's file.
func SplitGames(s SelfPlaySettings, network string) (all []GamesSettings) {
	one := GamesSettings{
		Rules: s.Rules, Size: s.Size, Seed: s.Seed, Opening: s.Opening, Warm: s.Warm, Simulations: s.Simulations,
		Noise: s.Search.Noise, Alpha: s.Search.Alpha, Temperature: s.Search.Temperature, Network: network,
	}
	for n := 0; n < s.Games; n += batchGames {
		one.First, one.Count = s.First+n, min(batchGames, s.Games-n)
		all = append(all, one)
	}
	return all
}

// settings returns s as the settings of PlayGames: all games together, in one thread.
func (s GamesSettings) settings() SelfPlaySettings {
	out := SelfPlayDefaults(s.Rules, s.Size)
	out.First, out.Games, out.Together, out.Seed, out.Opening, out.Warm = s.First, s.Count, s.Count, s.Seed, s.Opening, s.Warm
	out.Simulations, out.Search.Noise, out.Search.Alpha, out.Search.Temperature = s.Simulations, s.Noise, s.Alpha, s.Temperature
	return out
}

// Checksum returns the SHA-256 of a network's file, in hexadecimal digits.
func Checksum(path string) (string, error) {
	data, err := disk.Read(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// List returns the games. It returns an error if a position cannot be read.
func (g GamesResult) List(r rules.Ruleset) (all []Game, err error) {
	for _, game := range g.Games {
		one := Game{Number: game.Number, Score: game.Score}
		for _, t := range game.Turns {
			p, err := rules.ParsePosition(r, t.Position)
			if err != nil {
				return nil, fmt.Errorf("game %d: %w", game.Number, err)
			}
			one.Turns = append(one.Turns, Turn{Position: p, Visits: t.Visits, Value: t.Value})
		}
		all = append(all, one)
	}
	return all, nil
}

// open checks the settings and the bot, and opens the bot's network.
func (s GamesSettings) open(bot players.Spec) (*neural.Network, error) {
	if s.Count > MostGames {
		return nil, fmt.Errorf("%d games: want at most %d in a batch", s.Count, MostGames)
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
	sum, err := Checksum(files[0])
	if err != nil {
		return nil, err
	}
	if sum != s.Network {
		return nil, fmt.Errorf("%s has the checksum %.12s, but the games need the network %.12q: give the worker the arena's file", files[0], sum, s.Network)
	}
	return neural.Open(files[0])
}

func playGames(ctx context.Context, bot players.Spec, s GamesSettings) (out GamesResult, err error) {
	network, err := s.open(bot)
	if err != nil {
		return out, err
	}
	games, err := PlayGames(ctx, s.settings(), func() (puct.Evaluator, error) { return puct.NewNetwork(network, s.Count) })
	if err == nil {
		err = ctx.Err() // some games may be missing
	}
	for _, g := range games {
		one := GameResult{Number: g.Number, Score: g.Score, Turns: []TurnResult{}}
		for _, t := range g.Turns {
			one.Turns = append(one.Turns, TurnResult{t.Position.String(), t.Visits, t.Value})
		}
		out.Games = append(out.Games, one)
	}
	return out, err
}

// checkGames checks that the result contains the games of the settings, and checks their turns.
func checkGames(s GamesSettings, result GamesResult) error {
	games, err := result.List(s.Rules)
	if err != nil {
		return err
	}
	if len(games) != s.Count {
		return fmt.Errorf("%d games, want %d", len(games), s.Count)
	}
	for i, g := range games {
		if g.Number != s.First+i {
			return fmt.Errorf("game %d, want game %d in this place", g.Number, s.First+i)
		}
		if err := s.checkTurns(g); err != nil {
			return fmt.Errorf("game %d, %w", g.Number, err)
		}
	}
	return nil
}

func (s GamesSettings) checkTurns(g Game) error {
	if g.Score > math.MaxInt32 {
		return fmt.Errorf("the final score %d: want one of 32 bits", g.Score)
	}
	before := -1
	for i, t := range g.Turns {
		p := t.Position
		if err := s.checkTurn(t); err != nil {
			return fmt.Errorf("turn %d: %w", i, err)
		}
		if p.Ply() <= before {
			return fmt.Errorf("turn %d: position %v does not come after the turn before", i, p)
		}
		if p.Score() > g.Score {
			return fmt.Errorf("turn %d: position %v has more points than the final score %d", i, p, g.Score)
		}
		before = p.Ply()
	}
	return nil
}

// checkTurn checks that the turn has a position where the game goes on, and that all visits are of legal
// moves, at least one and at most as many as the search had simulations.
func (s GamesSettings) checkTurn(t Turn) error {
	switch p := t.Position; {
	case p.Size() != s.Size || p.Over():
		return fmt.Errorf("position %v: want one of %v before the end of its game", p, s.Size)
	case len(t.Visits) != puct.Outputs(s.Size):
		return fmt.Errorf("%d visit counts: want %d", len(t.Visits), puct.Outputs(s.Size))
	case math.Abs(t.Value) > math.MaxFloat32:
		return fmt.Errorf("the value %v: want one of 32 bits", t.Value)
	}
	legal, all := 0, 0
	for _, m := range t.Position.AppendMoves(nil) {
		legal += int(t.Visits[puct.Index(m, s.Size)])
	}
	for _, n := range t.Visits {
		all += int(n)
	}
	if legal != all || all < 1 || all > s.Simulations {
		return fmt.Errorf("%d visits, %d of them of legal moves: want 1 to %d, all of legal moves", all, legal, s.Simulations)
	}
	return nil
}
