package mcp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"versus2048/internal/mcp"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
)

// An agent plays a rated match by its script, and then looks at what it has played.
func TestRatedMatch(t *testing.T) {
	a := open(t, nil)
	agent := a.agent()
	var joined mcp.JoinOut
	agent.Call("join", map[string]any{}, &joined)
	if joined.Name != "robot" || len(joined.Events) != 0 {
		t.Errorf("joined is %+v", joined)
	}
	event := a.start("robot", "greedy")
	games := agent.Play(2)
	for i, g := range games {
		if g.Role == games[1-i].Role || g.Ending != "mate" || g.Opponent != "greedy" || g.Plies == 0 {
			t.Errorf("game %d is %+v", i, g)
		}
	}
	if m := games[1].Match; m.YourScore == nil || m.OpponentScore == nil {
		t.Errorf("the match is %+v", m)
	}
	if _, err := a.operator.Follow(t.Context(), event, func(server.Progress) {}); err != nil {
		t.Fatal(err)
	}
	var places mcp.StandingsOut
	agent.Call("standings", map[string]any{"event": event}, &places)
	if len(places.Places) != 2 || places.Places[0].Played != 1 {
		t.Errorf("the standings are %+v", places)
	}
	var pair mcp.PairOut
	agent.Call("head_to_head", map[string]any{"first": "robot", "second": "greedy"}, &pair)
	if pair.Total != 1 || len(pair.Variants) != 1 || pair.Variants[0].Verdict == "" || len(pair.Matches) != 1 || len(pair.Matches[0].Games) != 2 {
		t.Fatalf("head to head is %+v", pair)
	}
	var replayed mcp.ReplayOut
	agent.Call("replay", map[string]any{"game": pair.Matches[0].Games[0], "ply": 1, "next": 2}, &replayed)
	if replayed.Ply != 1 || replayed.ToMove != "defender" || len(replayed.NextMoves) != 2 || strings.Count(replayed.Board, "2") != 1 {
		t.Errorf("the replay is %+v", replayed)
	}
	var events mcp.ListEventsOut
	agent.Call("list_events", map[string]any{"bot": "robot"}, &events)
	if events.Total != 1 || events.Events[0].Name != "cup" || events.Events[0].State != "finished" {
		t.Errorf("the events are %+v", events)
	}
}

// An agent challenges a bot as a guest. Illegal moves are refused, and the game goes on.
func TestChallenge(t *testing.T) {
	a := open(t, nil)
	agent := a.agent()
	var guest mcp.ChallengeOut
	agent.Call("challenge", map[string]any{"opponent": "greedy", "size": "2x2", "role": "attacker", "rules": "gpcc2016", "name": "Ada"}, &guest)
	if guest.Name != "guest Ada" {
		t.Errorf("the guest is %+v", guest)
	}
	var n mcp.News
	agent.Call("wait_for_turn", map[string]any{"timeout_seconds": 600}, &n)
	if s := n.State; n.Status != mcp.YourTurn || s.Role != "attacker" || s.Board != ". .\n. ." || len(s.LegalMoves) != 8 || s.LeftMS == nil || *s.LeftMS < 1000 {
		t.Fatalf("the turn is %+v %+v", n, n.State)
	}
	for wrong, want := range map[string]string{
		"N": "it is the other side's turn", "(3,1)": "illegal", "(1,1,8)": "want N, S, W, E", "": "want N, S, W, E", "castle": "legal moves are (1,1) (1,1,4)",
	} {
		if why := agent.Refused("move", map[string]any{"move": wrong}); !strings.Contains(why, want) || !strings.Contains(why, "nothing was sent") {
			t.Errorf("move %q: %s", wrong, why)
		}
	}
	if why := agent.Refused("challenge", map[string]any{"opponent": "greedy"}); !strings.Contains(why, "leave before") {
		t.Error(why)
	}
	var played mcp.MoveOut
	agent.Call("move", map[string]any{"move": "( 2, 1 )", "wait_seconds": 600}, &played)
	if played.Played != "(2,1)" || played.Status != mcp.YourTurn || played.State.OpponentMove == "" {
		t.Errorf("the move is %+v %+v", played, played.State)
	}
	game := agent.Play(1)[0]
	if game.Ending != "mate" || game.Detail != "" {
		t.Errorf("the game is %+v", game)
	}
	if why := agent.Refused("wait_for_turn", map[string]any{"timeout_seconds": 600}); !strings.Contains(why, "goodbye") {
		t.Error(why)
	}
}

// A guest resigns.
func TestResign(t *testing.T) {
	a := open(t, nil)
	agent := a.agent()
	agent.Call("challenge", map[string]any{"opponent": "greedy", "role": "attacker"}, nil)
	agent.Call("wait_for_turn", map[string]any{"timeout_seconds": 600}, nil)
	agent.Call("resign", map[string]any{}, nil)
	if g := agent.Play(1)[0]; g.Ending != "resigned" || g.Winner != "opponent" {
		t.Errorf("the game is %+v", g)
	}
}

// Waiting ends with the turn, the timeout or the assistant's wish, and says in between that it goes on.
func TestWait(t *testing.T) {
	a := open(t, nil)
	told := make(chan *sdk.ProgressNotificationParams, 1)
	agent := a.agent(func(p *sdk.ProgressNotificationParams) {
		select {
		case told <- p:
		default:
		}
	})
	if why := agent.Refused("wait_for_turn", map[string]any{}); !strings.Contains(why, "not connected") {
		t.Error(why)
	}
	agent.Call("join", map[string]any{"name": "patient"}, nil)
	var n mcp.News
	agent.Call("wait_for_turn", map[string]any{"timeout_seconds": 0}, &n)
	if n.Status != mcp.NothingYet || n.State != nil {
		t.Errorf("without a game: %+v", n)
	}
	if why := agent.Refused("move", map[string]any{"move": "N"}); !strings.Contains(why, "no game") {
		t.Error(why)
	}
	if why := agent.Refused("wait_for_turn", map[string]any{"timeout_seconds": 601}); !strings.Contains(why, "want 0 to 600") {
		t.Error(why)
	}
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error)
	go func() {
		params := &sdk.CallToolParams{Name: "wait_for_turn", Arguments: map[string]any{"timeout_seconds": 600}}
		params.SetProgressToken("p")
		_, err := agent.CallTool(ctx, params)
		waiting <- err
	}()
	if p := <-told; p.ProgressToken != "p" || p.Progress < 0 || p.Total != 600 {
		t.Errorf("the progress is %+v", p)
	}
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("the wait has ended with %v", err)
	}
	a.start("patient", "greedy")
	agent.Call("wait_for_turn", map[string]any{"timeout_seconds": 600}, &n) // the session goes on
	if n.Status != mcp.YourTurn {
		t.Errorf("after the start: %+v", n)
	}
}

// Each session has a connection of its own, which ends with the session, also while the assistant waits.
func TestSessions(t *testing.T) {
	a := open(t, nil)
	ann, bob := a.agent(), a.agent()
	ann.Call("join", map[string]any{"name": "ann"}, nil)
	if why := bob.Refused("join", map[string]any{"name": "ann"}); !strings.Contains(why, "name_in_use") {
		t.Error(why)
	}
	bob.Call("join", map[string]any{"name": "bob"}, nil)
	a.await("ann", "bob")
	a.start("ann", "bob")
	done := make(chan []mcp.Finished, 1)
	go func() {
		defer close(done) // also if Play has failed, which ends the goroutine
		done <- bob.Play(2)
	}()
	first, second := ann.Play(2), <-done
	if second == nil {
		t.Fatal("bob has not played to the end")
	}
	if *first[1].Match.YourScore != *second[1].Match.OpponentScore {
		t.Errorf("%+v and %+v", first[1], second[1])
	}
	bob.Call("leave", map[string]any{}, nil)
	a.await("ann")
	waiting := make(chan error)
	go func() {
		_, err := ann.CallTool(t.Context(), &sdk.CallToolParams{Name: "wait_for_turn", Arguments: map[string]any{"timeout_seconds": 600}})
		waiting <- err
	}()
	if err := ann.Close(); err != nil {
		t.Error(err)
	}
	<-waiting
	a.await()
	bob.Call("join", map[string]any{"name": "ann"}, nil)
}

// By an invitation an assistant registers a name, and by an operator's token it enters an event.
func TestRights(t *testing.T) {
	a := open(t, func(c *mcp.Config) { c.Arena.URL += "/" }) // an address that invitations have without the slash
	agent := a.agent()
	code, err := a.operator.Invite(t.Context(), gate.InvitationTerms{Names: 1, Days: 1})
	if err != nil {
		t.Fatal(err)
	}
	for invitation, want := range map[string]string{
		"nonsense": "want the link or the code", "http://203.0.113.9:2048/connect?invitation=" + code: "this server plays on", "AAAAAAAAAAAA": "invitation",
	} {
		if why := agent.Refused("join", map[string]any{"name": "owner", "invitation": invitation}); !strings.Contains(why, want) {
			t.Errorf("%s: %s", invitation, why)
		}
	}
	var joined mcp.JoinOut
	agent.Call("join", map[string]any{"name": "owner", "invitation": a.URL() + "/connect?invitation=" + code}, &joined)
	if !joined.Registered {
		t.Errorf("joined is %+v", joined)
	}
	agent.Call("leave", map[string]any{}, nil)
	if why := agent.Refused("join", map[string]any{"name": "owner"}); !strings.Contains(why, "token") {
		t.Error(why)
	}
	if why := agent.Refused("join", map[string]any{"name": "other", "event": 1}); !strings.Contains(why, "only an operator") {
		t.Error(why)
	}
}
