package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"versus2048/internal/server"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// addStudying adds the tools that look into games and positions.
func (s *Server) addStudying() {
	tool(s, "replay", "A recorded game at one ply: the board, and the moves that were played next.", reading(), replay)
	tool(s, "exact_values", "The values of a position and of each of its moves under perfect play, where the arena has a table of that board.", reading(), exactValues)
	tool(s, "opinion", "The move that a bot would play in a position, and the values that it expects. A bot of the arena thinks for a second at most.", reading(), opinion)
}

// ReplayIn names a position of a recorded game.
type ReplayIn struct {
	Game int64 `json:"game" jsonschema:"the game's number on record, as head_to_head has it"`
	Ply  *int  `json:"ply,omitempty" jsonschema:"the number of moves of both sides to play, from 0 for the start; by default all"`
	Next int   `json:"next,omitempty" jsonschema:"the number of the following moves to list, at most 100"`
}

// ReplayOut is a position of a recorded game.
type ReplayOut struct {
	Attacker   string   `json:"attacker" jsonschema:"the bot that placed the tiles"`
	Defender   string   `json:"defender" jsonschema:"the bot that slid them"`
	Rules      string   `json:"rules" jsonschema:"gpcc2015, gpcc2016 or solo"`
	Plies      int      `json:"plies" jsonschema:"the number of moves in all"`
	Ending     string   `json:"ending" jsonschema:"the ending of the game"`
	Detail     string   `json:"detail,omitempty" jsonschema:"more about the ending"`
	FinalScore int      `json:"final_score" jsonschema:"the defender's score at the end"`
	Ply        int      `json:"ply" jsonschema:"the number of moves until this position"`
	Board      string   `json:"board" jsonschema:"the rows from the top, with a point for an empty cell"`
	Position   string   `json:"position" jsonschema:"the same in the notation that exact_values, opinion and challenge take"`
	Score      int      `json:"score" jsonschema:"the defender's score in this position"`
	ToMove     string   `json:"to_move" jsonschema:"attacker or defender"`
	LastMove   string   `json:"last_move,omitempty" jsonschema:"the move that led to this position"`
	NextMoves  []string `json:"next_moves,omitempty" jsonschema:"the moves that were played from here on, as many as were asked for"`
}

// mostNext is the largest number of moves that replay lists.
const mostNext = 100

func replay(ctx context.Context, c call, in ReplayIn) (out ReplayOut, err error) {
	if in.Next < 0 || in.Next > mostNext {
		return out, fmt.Errorf("next %d: want 0 to %d", in.Next, mostNext)
	}
	r, err := asked(ctx, c, func(ctx context.Context) (record.Record, error) { return c.config.Arena.Record(ctx, in.Game) })
	if err != nil {
		return out, err
	}
	ply := len(r.Moves)
	if in.Ply != nil {
		ply = *in.Ply
	}
	if ply < 0 || ply > len(r.Moves) {
		return out, fmt.Errorf("ply %d: game %d has the plies 0 to %d", ply, in.Game, len(r.Moves))
	}
	last, err := r.Replay()
	if err != nil {
		return out, fmt.Errorf("game %d: %w", in.Game, err)
	}
	p := r.Start
	for _, m := range r.Moves[:ply] {
		p = p.Next(m) // Replay has checked them all
	}
	out = ReplayOut{
		Attacker: r.Attacker, Defender: r.Defender, Rules: p.Rules().String(), Plies: len(r.Moves), Ending: string(r.Ending), Detail: r.Detail,
		FinalScore: last.Score(), Ply: ply, Board: board(p), Position: p.String(), Score: p.Score(), ToMove: p.SideToMove().String(),
	}
	if ply > 0 {
		out.LastMove = r.Moves[ply-1].String()
	}
	for _, m := range r.Moves[ply:min(ply+in.Next, len(r.Moves))] {
		out.NextMoves = append(out.NextMoves, m.String())
	}
	return out, nil
}

// PositionIn names a position.
type PositionIn struct {
	Position string `json:"position" jsonschema:"the rows from the top, then the side to move, A or D, the score and the ply, such as 2,0/0,2 D 0 3"`
	Rules    string `json:"rules,omitempty" jsonschema:"gpcc2015 (the default), gpcc2016 or solo"`
}

// position returns the position that an assistant names.
func (in PositionIn) position() (p rules.Position, err error) {
	var r rules.Ruleset
	if err := parse(&r, "rules", in.Rules); err != nil {
		return p, err
	}
	if p, err = rules.ParsePosition(r, in.Position); err != nil {
		return p, fmt.Errorf("position: %w", err)
	}
	return p, nil
}

// ExactOut is the value of a position under perfect play.
type ExactOut struct {
	Gain  float64     `json:"gain" jsonschema:"the score that the defender will still add under perfect play, a mean under solo"`
	Plies int         `json:"plies" jsonschema:"the plies until the end of the game under perfect play, 0 under solo"`
	Over  bool        `json:"over" jsonschema:"true if the game is over: the defender has no legal slide"`
	Moves []ExactMove `json:"moves" jsonschema:"each legal move of the side to move"`
}

// ExactMove is the value of a move.
type ExactMove struct {
	Move  string  `json:"move" jsonschema:"the move"`
	Gain  float64 `json:"gain" jsonschema:"the score that the defender will add from the position on if it is played"`
	Plies int     `json:"plies" jsonschema:"the plies until the end of the game if it is played, 0 under solo"`
	Best  bool    `json:"best" jsonschema:"true if the move keeps the value of the position"`
}

func exactValues(ctx context.Context, c call, in PositionIn) (out ExactOut, err error) {
	p, err := in.position()
	if err != nil {
		return out, err
	}
	probe, err := read[exact.Probe](ctx, c, "/api/exact?"+url.Values{"position": {p.String()}, "rules": {p.Rules().String()}}.Encode())
	out = ExactOut{probe.Value.Gain, probe.Value.Plies, probe.Mated, []ExactMove{}}
	for _, m := range probe.Moves {
		out.Moves = append(out.Moves, ExactMove{m.Move.String(), m.Value.Gain, m.Value.Plies, m.Best})
	}
	return out, err
}

// OpinionIn asks a bot about a position.
type OpinionIn struct {
	Bot string `json:"bot" jsonschema:"a bot of the arena such as champion or mcts:playouts=1000, or the name of a connected bot that is not playing"`
	PositionIn
}

// OpinionOut is a bot's opinion of a position.
type OpinionOut struct {
	Move     string        `json:"move" jsonschema:"the move that it would play"`
	Expected []string      `json:"expected,omitempty" jsonschema:"the moves that it expects from both sides, if it searches"`
	Moves    []OpinionMove `json:"moves,omitempty" jsonschema:"its opinion of each move, the best first, if it searches"`
}

// OpinionMove is a bot's opinion of a move.
type OpinionMove struct {
	Move   string  `json:"move" jsonschema:"the move"`
	Value  float64 `json:"value" jsonschema:"the final score that the bot expects, unless it counts in a unit of its own"`
	Visits int64   `json:"visits" jsonschema:"playouts or positions that it has spent on the move"`
}

func opinion(ctx context.Context, c call, in OpinionIn) (out OpinionOut, err error) {
	p, err := in.position()
	switch {
	case err != nil:
		return out, err
	case p.Over():
		return out, errors.New("the game is over in this position: there is no move")
	}
	hint, err := asked(ctx, c, func(ctx context.Context) (server.Hint, error) { return c.config.Arena.Hint(ctx, in.Bot, p) })
	if err != nil {
		return out, err
	}
	out.Move = hint.Move.String()
	if hint.Search == nil {
		return out, nil
	}
	for _, m := range hint.Search.Variation {
		out.Expected = append(out.Expected, m.String())
	}
	for _, m := range hint.Search.Moves {
		out.Moves = append(out.Moves, OpinionMove{m.Move.String(), m.Value, m.Visits})
	}
	return out, nil
}
