package chore

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"versus2048/players/puct"
	"versus2048/rules"
)

// gamesFormat is the version of the files, as their metadata have it under the key format.
const gamesFormat = "versus2048 self-play 1"

// arrays are the turns of games as a file has them, one entry a turn, game by game.
type arrays struct {
	boards   []uint64  // rules.Board: bits 4i to 4i+3 are the exponent in cell i of the 4x4 grid
	attacker []uint8   // 1 if the attacker is to move
	visits   []uint16  // puct.Outputs numbers for each turn
	value    []float32 // the final score that the search expected
	score    []int32   // the score so far
	final    []int32   // the final score
	further  []int32   // final minus score
	game     []int32   // the game's number
	ply      []int32
}

func (a *arrays) add(g Game) {
	for _, t := range g.Turns {
		p := t.Position
		attacker := uint8(0)
		if p.SideToMove() == rules.Attacker {
			attacker = 1
		}
		a.boards, a.attacker, a.visits = append(a.boards, uint64(p.Board())), append(a.attacker, attacker), append(a.visits, t.Visits...)
		a.value, a.score = append(a.value, float32(t.Value)), append(a.score, int32(p.Score()))
		a.final, a.further = append(a.final, int32(g.Score)), append(a.further, int32(g.Score-p.Score()))
		a.game, a.ply = append(a.game, int32(g.Number)), append(a.ply, int32(p.Ply()))
	}
}

// WriteGames writes the turns of games as a safetensors file. Each tensor has one row a turn: boards (U64, the
// exponents of the tiles, 4 bits for each cell of the 4x4 grid, the first cell in the lowest bits), attacker (U8, 1 if
// it is to move), visits (U16, a number for each move by puct.Index), value (F32, the final score that the search
// expected), score (I32, so far), final (I32, the final score), further (I32, final minus score), game and ply (I32).
// The metadata have the format, the rules, the size, and the command and the numbers to play the games again.
func WriteGames(w io.Writer, s SelfPlaySettings, command string, games []Game) error {
	var a arrays
	for _, g := range games {
		a.add(g)
	}
	header := map[string]any{"__metadata__": map[string]string{
		"format": gamesFormat, "rules": s.Rules.String(), "size": s.Size.String(), "command": command,
		"games": strconv.Itoa(len(games)), "simulations": strconv.Itoa(s.Simulations), "seed": strconv.FormatUint(s.Seed, 10),
	}}
	rows := len(a.boards)
	var data []byte
	for _, t := range []struct {
		name, kind string
		shape      []int
		values     any
	}{
		{"boards", "U64", []int{rows}, a.boards}, // the longest numbers first, so that all are aligned
		{"value", "F32", []int{rows}, a.value},
		{"score", "I32", []int{rows}, a.score},
		{"final", "I32", []int{rows}, a.final},
		{"further", "I32", []int{rows}, a.further},
		{"game", "I32", []int{rows}, a.game},
		{"ply", "I32", []int{rows}, a.ply},
		{"visits", "U16", []int{rows, puct.Outputs(s.Size)}, a.visits},
		{"attacker", "U8", []int{rows}, a.attacker},
	} {
		from := len(data)
		var err error
		if data, err = binary.Append(data, binary.LittleEndian, t.values); err != nil {
			return fmt.Errorf("writing %s: %w", t.name, err)
		}
		header[t.name] = map[string]any{"dtype": t.kind, "shape": t.shape, "data_offsets": []int{from, len(data)}}
	}
	return writeParts(w, header, data)
}

// writeParts writes the parts of a safetensors file: the length of the header, the header, the data.
func writeParts(w io.Writer, header map[string]any, data []byte) error {
	text, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("writing the header: %w", err)
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	if err := binary.Write(w, binary.LittleEndian, uint64(len(text))); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
