package welcome

import (
	"cmp"
	"slices"
	"strings"

	"versus2048/internal/study"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/live"
	"versus2048/rules"
	"versus2048/tournament"
)

// Shown is a scene on the first page, or the part of a game on a page that other sites embed.
type Shown struct {
	Scene
	Game int64  // 0 for a game that comes with the program
	Won  string // the winner of the match in words, "" if the other game is not known

	Advantage *study.Curve // of the defender, nil if the final score is not known
}

// Text describes the scene and the end of the match.
func (s *Shown) Text() string { return strings.TrimSpace(s.Story + " " + s.Won) }

// TV is the board on the first page: a game in progress, or a scene before its first move.
type TV struct {
	Game               int64 // 0 for a game that comes with the program
	Ply, Score         int
	Live               bool
	Attacker, Defender TVSide
	Board              analysis.Board
	Advantage          *study.Advantage
	Text               string
}

// TVSide is a side with its bot.
type TVSide struct {
	Side rules.Side
	Verb string // such as "attacks"
	Name string
	Away bool
}

func newSide(side rules.Side, name string, away []rules.Side) TVSide {
	verb := map[rules.Side]string{rules.Attacker: "attacks", rules.Defender: "defends"}[side]
	return TVSide{side, verb, name, slices.Contains(away, side)}
}

// NewTV returns the board of a game.
func NewTV(game int64, p rules.Position, moves []rules.Move, attacker, defender, text string, away []rules.Side) *TV {
	return &TV{
		Game: game, Score: p.Score(), Board: analysis.NewBoard(p, moves), Text: text,
		Attacker: newSide(rules.Attacker, attacker, away), Defender: newSide(rules.Defender, defender, away),
	}
}

// ScenesGames is the number of games with scenes on the first page.
const ScenesGames = 3

// OwnScenes returns the scenes of the ScenesGames longest games that come with the program.
func OwnScenes(values study.Values) (scenes []Shown, err error) {
	games, err := Games()
	if err != nil {
		return nil, err
	}
	longest := slices.SortedStableFunc(slices.Values(games), func(a, b tournament.Game) int { return cmp.Compare(len(b.Record.Moves), len(a.Record.Moves)) })
	for _, g := range longest[:min(ScenesGames, len(longest))] {
		match := slices.DeleteFunc(slices.Clone(games), func(other tournament.Game) bool { return other.Match != g.Match })
		other := otherScore(g, match)
		for _, s := range NewScenes(&g.Record) {
			scenes = append(scenes, Shown{Scene: s, Won: live.MatchResult(match...), Advantage: values.Part(&g.Record, s.Ply, s.Ply+len(s.Moves), other)})
		}
	}
	return scenes, nil
}

// otherScore returns the score in the other game of a match, nil without one.
func otherScore(g tournament.Game, match []tournament.Game) *int {
	for _, other := range match {
		if other.Leg != g.Leg {
			last, _ := other.Record.Replay() // cannot fail: a test replays these games
			score := last.Score()
			return &score
		}
	}
	return nil
}

// First returns the board before the first move of a scene.
func (s *Shown) First() *TV {
	shown := NewTV(s.Game, s.Start, nil, s.Attacker, s.Defender, s.Text(), nil)
	shown.Ply, shown.Advantage = s.Ply, s.Advantage.First()
	return shown
}
