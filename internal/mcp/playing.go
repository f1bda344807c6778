package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/protocol"
	"versus2048/rules"
)

// addPlaying adds the tools for playing.
func (s *Server) addPlaying() {
	tool(s, "join", "Connect to the arena under a name, to be given games of events: open ladders and lobbies take every connected bot, "+
		"other events need its name in their list of bots. Then call wait_for_turn.", playing(false), join)
	tool(s, "challenge", "Play one game, or a match on record, against a bot of the arena or a connected bot, as a guest. Then call wait_for_turn.", playing(false), challenge)
	tool(s, "wait_for_turn", "Wait until it is your turn or a game has ended. It blocks, so that there is no need to ask again and again.", reading(), waitForTurn)
	tool(s, "state", "The game in progress as it stands, without waiting.", reading(), stateNow)
	tool(s, "move", "Play a move. An illegal one is refused with the reason and the legal moves; it costs nothing but time on your clock.", playing(false), move)
	tool(s, "resign", "Give up the game in progress, where its event allows that.", playing(true), resign)
	tool(s, "leave", "Say goodbye to the arena. Games in progress are lost.", playing(true), leave)
}

// JoinIn is the request of an assistant to join.
type JoinIn struct {
	Name       string `json:"name,omitempty" jsonschema:"the name to play under; by default the one that the server was started with"`
	Invitation string `json:"invitation,omitempty" jsonschema:"the link or the code of an invitation, to make the name yours; the word open for an arena that registers everybody"`
	Event      int64  `json:"event,omitempty" jsonschema:"the number of a ladder or a Swiss event in progress to enter; this needs an operator's token"`
}

// JoinOut is a bot on the arena.
type JoinOut struct {
	Name       string  `json:"name" jsonschema:"the name that you play under"`
	Registered bool    `json:"registered" jsonschema:"true if the name has just become yours"`
	Events     []int64 `json:"events" jsonschema:"the numbers of the events that you play in so far"`
}

func join(ctx context.Context, c call, in JoinIn) (out JoinOut, err error) {
	hello := protocol.Hello{Name: cmp.Or(in.Name, c.config.Hello.Name)}
	if hello.Name == "" {
		return out, errors.New("name is missing: the name to play under")
	}
	code := ""
	if hello.Name == c.config.Hello.Name {
		hello.Token, code = c.config.Hello.Token, c.config.Code
	}
	if in.Invitation != "" {
		if code, err = c.invitation(in.Invitation); err != nil {
			return out, err
		}
		hello.Token = "" // the bot makes one of its own
	}
	if _, err := bots(ctx, c); err != nil { // reports in plain words that no arena answers at the address
		return out, err
	}
	out.Name = hello.Name
	out.Registered, err = c.take(ctx, hello, func(ctx context.Context, client protocol.Client) error { return c.config.Run(ctx, client, code) })
	if err != nil {
		return out, err
	}
	if in.Event != 0 {
		if err := c.enter(ctx, in.Event, out.Name); err != nil {
			return out, err
		}
	}
	out.Events, err = c.eventsOf(ctx, out.Name)
	return out, err
}

// invitation returns the code of an invitation to this arena.
func (s *session) invitation(text string) (string, error) {
	code, arena, err := protocol.ParseInvitation(text)
	if err == nil && arena != "" && !strings.EqualFold(arena, strings.TrimSuffix(s.config.Arena.URL, "/")) {
		err = fmt.Errorf("the invitation is to the arena at %s, and this server plays on %s", arena, s.config.Arena.URL)
	}
	return code, err
}

// enter puts a connected bot into an event that is being played.
func (c call) enter(ctx context.Context, event int64, name string) error {
	_, err := asked(ctx, c, func(ctx context.Context) (struct{}, error) { return struct{}{}, c.config.Arena.Join(ctx, event, name) })
	if err != nil {
		return fmt.Errorf("you are connected as %q, but not in event %d: %w", name, event, err)
	}
	return nil
}

// eventsOf returns the events that a bot plays in.
func (c call) eventsOf(ctx context.Context, name string) ([]int64, error) {
	all, err := bots(ctx, c)
	for _, b := range all {
		if b.Name == name && b.Events != nil {
			return b.Events, err
		}
	}
	return []int64{}, err
}

// ChallengeIn is the game that an assistant asks for.
type ChallengeIn struct {
	Opponent    string `json:"opponent" jsonschema:"the name of a connected bot, or a bot of the arena such as greedy or mcts:playouts=1000 (list_bots has both)"`
	Role        string `json:"role,omitempty" jsonschema:"your role in the first game: attacker or defender (the default)"`
	Rules       string `json:"rules,omitempty" jsonschema:"gpcc2015 (the default), gpcc2016 or solo"`
	Size        string `json:"size,omitempty" jsonschema:"columns x rows from 2x2 to 4x4 (the default)"`
	MoveSeconds int    `json:"move_seconds,omitempty" jsonschema:"the time for each move in seconds, at most 600 (the default)"`
	Start       string `json:"start,omitempty" jsonschema:"the position to start from; by default the empty board"`
	Recorded    bool   `json:"recorded,omitempty" jsonschema:"true for a match of two games on record; otherwise it is one game that leaves no trace"`
	Name        string `json:"name,omitempty" jsonschema:"the name to play under as a guest"`
}

// ChallengeOut is the guest of that game.
type ChallengeOut struct {
	Name string `json:"name" jsonschema:"the name that you play under"`
}

func challenge(ctx context.Context, c call, in ChallengeIn) (out ChallengeOut, err error) {
	asking := server.Challenge{
		Name: in.Name, Opponent: in.Opponent, Role: rules.Defender, Size: rules.Full, Start: in.Start, Recorded: in.Recorded,
		PerMove: time.Duration(in.MoveSeconds) * time.Second,
	}
	if err := errors.Join(
		parse(&asking.Role, "role", in.Role), parse(&asking.Rules, "rules", in.Rules), parse(&asking.Size, "size", in.Size),
	); err != nil {
		return out, err
	}
	if present, err := c.seated(); err == nil && !present.left() {
		return out, fmt.Errorf("you are connected as %q already: call leave before you challenge a bot", present.name)
	}
	guest, err := asked(ctx, c, func(ctx context.Context) (server.Invitation, error) { return c.config.Arena.Challenge(ctx, asking) })
	if err != nil {
		return out, err
	}
	_, err = c.take(ctx, protocol.Hello{Name: guest.Name, Token: guest.Token}, func(ctx context.Context, client protocol.Client) error { return client.Run(ctx) })
	return ChallengeOut{guest.Name}, err
}

// parse reads an argument, unless it is empty.
func parse(into interface{ UnmarshalText([]byte) error }, name, text string) error {
	if text == "" {
		return nil
	}
	if err := into.UnmarshalText([]byte(text)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// WaitIn is the time that an assistant waits.
type WaitIn struct {
	TimeoutSeconds *int `json:"timeout_seconds,omitempty" jsonschema:"the longest time to wait, in seconds: 0 to 600, by default 50"`
}

// The times that a tool waits. Many clients give up after a minute.
const (
	usualWait = 50 * time.Second
	mostWait  = 10 * time.Minute
)

// wait returns the time to wait: a number of seconds, or the usual time for nil.
func wait(seconds *int, usual time.Duration) (time.Duration, error) {
	if seconds == nil {
		return usual, nil
	}
	if *seconds < 0 || *seconds > int(mostWait/time.Second) {
		return 0, fmt.Errorf("%d seconds: want 0 to %d", *seconds, int(mostWait/time.Second))
	}
	return time.Duration(*seconds) * time.Second, nil
}

func waitForTurn(ctx context.Context, c call, in WaitIn) (News, error) {
	timeout, err := wait(in.TimeoutSeconds, usualWait)
	if err != nil {
		return News{}, fmt.Errorf("timeout_seconds: %w", err)
	}
	seated, err := c.seated()
	if err != nil {
		return News{}, err
	}
	return c.await(ctx, seated, timeout)
}

// await waits for news at a seat, at most for the timeout. It also returns when the session ends.
func (c call) await(ctx context.Context, at *seat, timeout time.Duration) (News, error) {
	return at.await(ctx, timeout, func(waited time.Duration) { c.progress(ctx, waited, timeout) })
}

func stateNow(ctx context.Context, c call, _ struct{}) (News, error) {
	seated, err := c.seated()
	if err != nil {
		return News{}, err
	}
	return c.await(ctx, seated, 0)
}

// MoveIn is a move.
type MoveIn struct {
	Move        string `json:"move" jsonschema:"a slide (N, S, W or E), or the cell of a new tile: (X,Y) for a 2, (X,Y,4) for a 4, column then row from the top left"`
	WaitSeconds *int   `json:"wait_seconds,omitempty" jsonschema:"the seconds to wait for your next turn as wait_for_turn does: 0 to 600, by default 0"`
}

// MoveOut is a move that was played.
type MoveOut struct {
	Played string `json:"played" jsonschema:"the move that was sent"`
	News
}

func move(ctx context.Context, c call, in MoveIn) (out MoveOut, err error) {
	timeout, err := wait(in.WaitSeconds, 0)
	if err != nil {
		return out, fmt.Errorf("wait_seconds: %w; nothing was sent", err)
	}
	seated, err := c.seated()
	if err != nil {
		return out, err
	}
	played, err := seated.answer(in.Move)
	if err != nil {
		return out, err
	}
	out.Played = played.String()
	if out.News, err = c.await(ctx, seated, timeout); err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%v was sent, but %w", played, err)
	}
	return out, err
}

// ResignOut confirms a resignation.
type ResignOut struct {
	Resigned bool `json:"resigned" jsonschema:"true: the arena is told"`
}

func resign(_ context.Context, c call, _ struct{}) (ResignOut, error) {
	seated, err := c.seated()
	if err == nil {
		err = seated.resign()
	}
	return ResignOut{err == nil}, err
}

// LeaveOut confirms a goodbye.
type LeaveOut struct {
	Left string `json:"left" jsonschema:"the name that you played under"`
}

func leave(_ context.Context, c call, _ struct{}) (LeaveOut, error) {
	name, err := c.leave()
	return LeaveOut{name}, err
}
