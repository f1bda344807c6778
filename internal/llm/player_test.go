package llm_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/llm"
	"versus2048/players"
	"versus2048/players/playertest"
	"versus2048/rules"
)

var game = players.Game{Seed: 7}

func TestPlayer(t *testing.T) {
	m := model(t, (&stub{answer: plays}).inside(t, llm.Config{}))
	playertest.Run(t, playertest.Suite{
		New: func(_ *testing.T, g playertest.Setting) players.Player {
			return m.New("1", players.Game{Seed: g.Seed})
		},
		Ended: true,
	})
}

// fallbackMove returns the move of the fallback.
func fallbackMove(t *testing.T, m *llm.Model, p rules.Position) rules.Move {
	t.Helper()
	move, err := m.Fallback.New(game).Choose(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return move
}

func TestAnswersAreCounted(t *testing.T) {
	answers := []string{`{"move": "E"}`, "no idea", `{"move": "W"}`, "", `{"move": "S"}`, "N or W"}
	s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, n int) { say(w, answers[n-1]) }}
	m := model(t, s.inside(t, llm.Config{}))
	player, p := m.New("1", game), position(t, positionText)

	move, err := player.Choose(t.Context(), p)
	if search := player.LastSearch(); err != nil || move != rules.West || search == nil || search.Time <= 0 || search.Check(p) != nil || search.Variation[0] != rules.West || search.TokensRead != 300 || search.TokensWritten != 21 {
		t.Errorf("move %v, %v, report %+v", move, err, search)
	}
	want := llm.Tally{Moves: 1, Answers: 3, Illegal: 1, Unreadable: 1, Tokens: llm.Tokens{Read: 300, Written: 21}}
	if got := player.Tally(); got.Waited <= 0 || !same(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	talk := s.requests()[2].Messages // system, position, answer, refusal, answer, refusal
	if len(talk) != 6 || talk[2] != (llm.Message{Role: "assistant", Content: answers[0]}) || talk[3].Role != "user" || talk[4].Content != answers[1] {
		t.Fatalf("the model is told %+v", talk)
	}
	wants(t, talk[3].Content, "E is illegal: the slide changes nothing. Your legal moves: N W")
	wants(t, talk[5].Content, "no single move can be read")

	move, err = player.Choose(t.Context(), p)
	if search := player.LastSearch(); err != nil || move != fallbackMove(t, m, p) || search == nil || search.Time <= 0 || search.Variation != nil || search.TokensRead != 300 || search.TokensWritten != 21 {
		t.Errorf("move %v, %v, report %+v", move, err, search)
	}
	want = llm.Tally{Moves: 2, Answers: 6, Illegal: 2, Unreadable: 3, Fallback: 1, Tokens: llm.Tokens{Read: 600, Written: 42}}
	if !same(player.Tally(), want) || !same(m.Tally(), want) {
		t.Errorf("%+v and %+v, want %+v", player.Tally(), m.Tally(), want)
	}
	if m.New("2", game).Tally() != (llm.Tally{}) {
		t.Error("another game begins with the count of this one")
	}
}

// same compares without the time.
func same(a, b llm.Tally) bool {
	a.Waited, b.Waited = 0, 0
	return a == b
}

func TestForcedMoveAsksNobody(t *testing.T) {
	s := &stub{answer: plays}
	player := model(t, s.inside(t, llm.Config{})).New("1", game)
	if m, err := player.Choose(t.Context(), position(t, "2,0/4,0 D")); err != nil || m != rules.East || len(s.requests()) != 0 || player.LastSearch() != nil {
		t.Errorf("%v, %v after %d requests", m, err, len(s.requests()))
	}
}

// A model with an endpoint that fails, or is late, still plays legal moves in time.
func TestDeadline(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request, asked, int){
		"hangs": hangs,
		"slow": func(w http.ResponseWriter, r *http.Request, a asked, n int) {
			select {
			case <-time.After(4 * time.Second):
				say(w, "no idea")
			case <-r.Context().Done():
			}
		},
		"500": func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) { fail(w, 500, "", "oh no") },
		"429": func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) {
			w.Header().Set("Retry-After", "30")
			fail(w, 429, "", "slow down")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := model(t, (&stub{answer: answer}).inside(t, llm.Config{}))
				player, p := m.New("1", players.Game{Seed: 7, Clock: players.Clock{PerMove: 10 * time.Second}}), position(t, positionText)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				began := time.Now()
				move, err := player.Choose(ctx, p)
				if err != nil || move != fallbackMove(t, m, p) || time.Since(began) > 9500*time.Millisecond {
					t.Errorf("%v, %v after %v", move, err, time.Since(began))
				}
				if search := player.LastSearch(); search == nil || search.Time <= 0 || search.Variation != nil {
					t.Errorf("report %+v", search)
				}
				if got := player.Tally(); got.Fallback != 1 || got.Moves != 1 {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}

// A server that hangs does not use up the time of the game: all moves of a long game are made within it.
func TestTotalTime(t *testing.T) {
	for _, clock := range []players.Clock{
		{Base: time.Minute}, {Base: time.Minute, Increment: time.Second}, {Base: 3 * time.Minute, PerMove: 20 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			player, p := model(t, (&stub{answer: hangs}).inside(t, llm.Config{})).New("1", players.Game{Seed: 7, Clock: clock}), position(t, positionText)
			var used time.Duration
			for move := range 300 {
				limit, _ := clock.Limit(used, move)
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				began := time.Now()
				if _, err := player.Choose(ctx, p); err != nil || ctx.Err() != nil {
					t.Fatalf("move %d, with %v: %v, %v", move, limit, err, ctx.Err())
				}
				used += time.Since(began)
				if cancel(); move == 100 && limit < clock.Base/1000 {
					t.Fatalf("after 100 moves only %v are left", limit)
				}
			}
		})
	}
}

// A limit for each move besides a total time does not cut a model short.
func TestTwoLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stub{answer: func(w http.ResponseWriter, r *http.Request, a asked, n int) {
			select {
			case <-time.After(5 * time.Second):
				plays(w, r, a, n)
			case <-r.Context().Done():
			}
		}}
		player := model(t, s.inside(t, llm.Config{})).New("1", players.Game{Seed: 7, Clock: players.Clock{Base: 30 * time.Minute, PerMove: 30 * time.Second}})
		choose := func(left time.Duration) (spent time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), left)
			defer cancel()
			began := time.Now()
			if _, err := player.Choose(ctx, position(t, positionText)); err != nil {
				t.Error(err)
			}
			return time.Since(began)
		}
		if spent := choose(30 * time.Second); spent != 5*time.Second || player.Tally().Fallback != 0 {
			t.Errorf("the move took %v: %+v", spent, player.Tally())
		}
		// Another program has used up the total time before this one was started.
		if spent := choose(4 * time.Second); spent != 200*time.Millisecond || player.Tally().Fallback != 1 {
			t.Errorf("with 4s for all moves the move took %v: %+v", spent, player.Tally())
		}
	})
}

// Without a clock a move takes Patience at most.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := model(t, (&stub{answer: hangs}).inside(t, llm.Config{})).New("1", game)
		began := time.Now()
		if _, err := player.Choose(t.Context(), position(t, positionText)); err != nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestPrompt(t *testing.T) {
	usual, err := llm.NewPrompt("")
	if err != nil {
		t.Fatal(err)
	}
	p, err := rules.ParsePosition(rules.GPCC2016, "16,0,0/0,2,4 A 40 7")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := usual.Messages(llm.NewTurn(p, time.Second))
	if err != nil || len(messages) != 2 || messages[0].Role != "system" || messages[1].Role != "user" {
		t.Fatalf("%+v, %v", messages, err)
	}
	for _, want := range []string{"3 columns and 2 rows", "You are the attacker", "a 2 or a 4", "(X,Y,4)", "JSON"} {
		wants(t, messages[0].Content, want)
	}
	wants(t, messages[1].Content, "16  .  .\n .  2  4\n\nScore: 40. Your legal moves: (2,1) (2,1,4) (3,1) (3,1,4) (1,2) (1,2,4)")

	own, err := llm.NewPrompt(`{{define "position"}}{{range .Moves}}{{.Move}}={{.Gain}}:{{.Board}};{{end}}{{.Left}}{{end}}`)
	if err != nil {
		t.Fatal(err)
	}
	messages, err = own.Messages(llm.NewTurn(position(t, "2,0/2,0 D"), 3*time.Second))
	if err != nil || len(messages) != 2 {
		t.Fatalf("%+v, %v", messages, err)
	}
	wants(t, messages[0].Content, "You are the defender") // still the usual one
	if got := messages[1].Content; got != "N=4:4 .\n. .;S=4:. .\n4 .;E=0:. 2\n. 2;3s" {
		t.Errorf("the prompt is %q", got)
	}
	if len(usual.ID()) != 8 || len(own.ID()) != 8 || usual.ID() == own.ID() {
		t.Errorf("the ids are %s and %s", usual.ID(), own.ID())
	}
}

func TestWrongPrompts(t *testing.T) {
	for text, want := range map[string]string{
		"Your move?":                                     "defines no template",
		`{{define "positon"}}{{end}}`:                    "defines no template",
		`{{define "position"}}{{.Bord}}{{end}}`:          "Bord",
		`{{define "refusal"}}{{index .Moves 77}}{{end}}`: "index",
		`{{define "position"}}`:                          "EOF",

		`{{define "system"}}{{""}}{{end}}{{define "position"}}{{""}}{{end}}`: "nothing asks for a move",
	} {
		_, err := llm.NewPrompt(text)
		if err == nil {
			t.Errorf("%s is taken", text)
			continue
		}
		wants(t, fmt.Sprint(err), want)
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("the error has several lines: %v", err)
		}
	}
}
