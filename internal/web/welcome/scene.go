package welcome

import (
	"fmt"

	"versus2048/internal/text/plain"
	"versus2048/internal/web/templates"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Scene is a part of a game that is worth watching.
type Scene struct {
	Attacker, Defender string
	Ply                int            // of the start in the game
	Start              rules.Position // before the moves
	Moves              []rules.Move
	Story              string // the course of the scene in words
}

// A scene has at most pliesBefore + pliesAfter plies. The scene of the largest tile ends at most pliesAfter plies
// after that tile is made.
const (
	pliesBefore = 40
	pliesAfter  = 6
)

// NewScenes returns the scenes of a finished game: how its largest tile is made, and how the defender is mated. If both
// happen close together, it returns only the second one. It returns none for a game of fewer than pliesBefore plies.
func NewScenes(r *record.Record) (scenes []Scene) {
	plies := len(r.Moves)
	if plies < pliesBefore {
		return nil
	}
	climax, largest, final := climaxOf(r)
	scored := fmt.Sprintf("%s scores %s.", plain.Line(r.Defender), templates.Number(final.Score()))
	if r.Ending != record.Mate || climax+pliesAfter < plies-pliesBefore {
		story := fmt.Sprintf("%s defends and makes a %d, the largest tile of the game. %s", plain.Line(r.Defender), largest, scored)
		scenes = append(scenes, newScene(r, min(plies, climax+pliesAfter), story))
	}
	if r.Ending == record.Mate {
		story := fmt.Sprintf("%s attacks and fills the board: no slide is left, and the game is over. %s", plain.Line(r.Attacker), scored)
		scenes = append(scenes, newScene(r, plies, story))
	}
	return scenes
}

// climaxOf returns the ply at which the largest tile of a game is made, that tile, and the last position.
func climaxOf(r *record.Record) (ply, largest int, final rules.Position) {
	final = r.Start
	for i, m := range r.Moves {
		final = final.Next(m)
		if tile := final.LargestTile(); tile > largest {
			ply, largest = i+1, tile
		}
	}
	return ply, largest, final
}

// newScene returns the scene that ends after the ply end of a game.
func newScene(r *record.Record, end int, story string) Scene {
	s := Scene{Attacker: r.Attacker, Defender: r.Defender, Ply: max(0, end-pliesBefore-pliesAfter), Start: r.Start, Story: story}
	for _, m := range r.Moves[:s.Ply] {
		s.Start = s.Start.Next(m)
	}
	s.Moves = r.Moves[s.Ply:end]
	return s
}
