package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// game is a game of the assistant: a player that gets its moves by the tools. The lock of the seat guards it.
type game struct {
	seat     *seat
	start    protocol.Start
	position rules.Position // the last one that is known
	replied  string         // the opponent's move that led to it, "" if there is none
	turn     *turn          // nil while it is not the assistant's
}

// turn is a request for a move.
type turn struct {
	deadline time.Time   // zero without a limit
	answer   chan answer // has room for the answer
}

type answer struct {
	move rules.Move
	err  error
}

// Choose implements players.Player: it waits for the assistant's move.
func (g *game) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	t := &turn{answer: make(chan answer, 1)}
	t.deadline, _ = ctx.Deadline()
	g.seat.change(func() {
		g.replied = between(g.position, p)
		g.position, g.turn = p, t
	})
	select {
	case a := <-t.answer:
		return a.move, a.err
	case <-ctx.Done():
		g.seat.change(func() {
			if g.turn == t {
				g.turn = nil
			}
		})
		return 0, ctx.Err()
	}
}

// between returns the move that leads from a position to another, "" if none does.
func between(from, to rules.Position) string {
	for _, m := range from.AppendMoves(nil) {
		if from.Next(m) == to {
			return m.String()
		}
	}
	return ""
}

// Ended implements protocol.Ender.
func (g *game) Ended(o *protocol.Over) {
	f := Finished{Game: g.start.Game, Role: g.start.Role.String(), Opponent: g.start.Opponent, Ending: string(record.Unfinished)}
	if o != nil {
		f.Ending, f.Detail, f.Score, f.LargestTile, f.Plies = string(o.Ending), o.Detail, o.Score, o.LargestTile, o.Plies
		f.Match = Match{Number: o.Match.Number, YourScore: o.Match.YourScore, OpponentScore: o.Match.OpponentScore}
		if o.Winner != nil {
			f.Winner = "opponent"
			if *o.Winner == g.start.Role {
				f.Winner = "you"
			}
		}
	}
	g.seat.finish(g, f)
}

// answer ends the turn.
func (g *game) answer(m rules.Move, err error) {
	if err == nil {
		g.position, g.replied = g.position.Next(m), ""
	}
	g.turn.answer <- answer{m, err}
	g.turn = nil
}

// check returns the legal move that a text names. Letters may be small, and spaces are ignored.
func (g *game) check(text string) (rules.Move, error) {
	m, err := rules.ParseMove(strings.ToUpper(strings.ReplaceAll(text, " ", "")))
	if err == nil {
		_, err = g.position.Play(m)
	}
	if illegal := (*rules.IllegalMoveError)(nil); errors.As(err, &illegal) {
		err = fmt.Errorf("%v is illegal: %s", m, illegal.Reason)
	}
	if err != nil {
		return 0, fmt.Errorf("%w; nothing was sent, your clock runs on; legal moves are %s", err, strings.Join(legal(g.position), " "))
	}
	return m, nil
}

// state describes the game for the assistant.
func (g *game) state() State {
	s := State{
		Game: g.start.Game, Event: g.start.Event, Match: g.start.Match, Leg: g.start.Leg,
		Role: g.start.Role.String(), Opponent: g.start.Opponent, OpponentMove: g.replied,
		Rules: g.start.Rules.String(), Size: g.start.Size.String(), Position: g.position.String(), Board: board(g.position),
		Ply: g.position.Ply(), Score: g.position.Score(), YourTurn: g.turn != nil,
	}
	if g.turn == nil {
		return s
	}
	s.LegalMoves = legal(g.position)
	if !g.turn.deadline.IsZero() {
		left := max(0, time.Until(g.turn.deadline).Milliseconds())
		s.LeftMS = &left
	}
	return s
}

// board draws a position: a line for each row from the top, a point for an empty cell.
func board(p rules.Position) string {
	width := len(fmt.Sprint(p.LargestTile()))
	var b strings.Builder
	for y, row := range p.Tiles() {
		if y > 0 {
			b.WriteByte('\n')
		}
		for x, tile := range row {
			if x > 0 {
				b.WriteByte(' ')
			}
			text := "."
			if tile > 0 {
				text = fmt.Sprint(tile)
			}
			fmt.Fprintf(&b, "%*s", width, text)
		}
	}
	return b.String()
}

// State is a game in progress, as an assistant sees it.
type State struct {
	Game         string   `json:"game" jsonschema:"the game's name"`
	Event        string   `json:"event" jsonschema:"the name of its event"`
	Match        int      `json:"match" jsonschema:"the number of its match in the event"`
	Leg          int      `json:"leg" jsonschema:"which of the match's two games it is: 1 or 2"`
	Role         string   `json:"role" jsonschema:"your role: attacker (you place tiles) or defender (you slide)"`
	Opponent     string   `json:"opponent" jsonschema:"the opponent's name"`
	Rules        string   `json:"rules" jsonschema:"gpcc2015, gpcc2016 or solo"`
	Size         string   `json:"size" jsonschema:"columns x rows"`
	Board        string   `json:"board" jsonschema:"the rows from the top, with a point for an empty cell"`
	Position     string   `json:"position" jsonschema:"the same in the notation that exact_values, opinion and challenge take"`
	Ply          int      `json:"ply" jsonschema:"the number of moves that both sides have played"`
	Score        int      `json:"score" jsonschema:"the defender's score"`
	YourTurn     bool     `json:"your_turn" jsonschema:"whether you are to move"`
	LegalMoves   []string `json:"legal_moves,omitempty" jsonschema:"your legal moves, if you are to move"`
	LeftMS       *int64   `json:"left_ms,omitempty" jsonschema:"milliseconds left for this move; absent without a limit"`
	OpponentMove string   `json:"opponent_move,omitempty" jsonschema:"the opponent's last move"`
}

// Finished is a game that is over.
type Finished struct {
	Game        string `json:"game" jsonschema:"the game's name"`
	Role        string `json:"role" jsonschema:"your role in it"`
	Opponent    string `json:"opponent" jsonschema:"the opponent's name"`
	Ending      string `json:"ending" jsonschema:"its ending: mate, or for example illegal-move, time, resignation, unfinished"`
	Detail      string `json:"detail,omitempty" jsonschema:"more about the ending"`
	Winner      string `json:"winner,omitempty" jsonschema:"you or opponent, if a fault or a resignation decided the game; otherwise scores decide the match"`
	Score       int    `json:"score" jsonschema:"the defender's score"`
	LargestTile int    `json:"largest_tile" jsonschema:"the largest tile"`
	Plies       int    `json:"plies" jsonschema:"the number of moves"`
	Match       Match  `json:"match" jsonschema:"the state of its match: the higher score as defender wins"`
}

// Match is the state of a match of two games.
type Match struct {
	Number        int  `json:"number" jsonschema:"its number in the event"`
	YourScore     *int `json:"your_score,omitempty" jsonschema:"your score as defender; absent before that game is over"`
	OpponentScore *int `json:"opponent_score,omitempty" jsonschema:"the opponent's score as defender; likewise"`
}

// The values of News.Status.
const (
	YourTurn   = "your_turn"   // the assistant is to move
	GameOver   = "game_over"   // a game has ended, and the assistant is not to move in another
	NothingYet = "nothing_yet" // the time to wait is over, and neither has happened
)

// News is the answer to an assistant that waits.
type News struct {
	Status   string     `json:"status" jsonschema:"your_turn: move; game_over: see finished and wait for the next game; nothing_yet: wait again"`
	Finished []Finished `json:"finished,omitempty" jsonschema:"games that have ended since you asked last"`
	State    *State     `json:"state,omitempty" jsonschema:"the game in progress, absent if there is none"`
}
