package server_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// documentedBot plays the first legal move, but answers with a wrong one in some roles. It knows only the text of
// docs/PROTOCOL.md, and keeps the messages of its games.
type documentedBot struct {
	name   string
	faulty map[rules.Side]bool
	ws     *websocket.Conn
	starts map[string]protocol.Start
	last   map[string]protocol.Request
	overs  []protocol.Over // in the order of their arrival
}

// play plays until that number of games is over.
func (b *documentedBot) play(games int) error {
	for len(b.overs) < games {
		_, text, err := b.ws.ReadMessage()
		if err != nil {
			return err
		}
		m, err := protocol.Decode(text)
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case protocol.Start:
			b.starts[m.Game] = m
		case protocol.Request:
			b.last[m.Game] = m
			err = b.answer(m)
		case protocol.Over:
			b.overs = append(b.overs, m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *documentedBot) answer(r protocol.Request) error {
	start := b.starts[r.Game]
	p, err := rules.PositionFrom(start.Rules, r.Board, start.Role, r.Score, r.Ply)
	if err != nil {
		return err
	}
	text := p.AppendMoves(nil)[0].String()
	if b.faulty[start.Role] && r.Ply >= start.Ply+4 {
		text = "Q"
	}
	return b.ws.WriteJSON(map[string]any{"type": "move", "game": r.Game, "ply": r.Ply, "move": text})
}

// result returns how the bot's match ended by the section "Who won" of the document: "won", "lost" or "drawn".
func (b *documentedBot) result(match int) string {
	var overs []protocol.Over
	forfeits := map[rules.Side]bool{} // by the bot's role in the game
	for _, o := range b.overs {
		if o.Match.Number == match {
			overs = append(overs, o)
			forfeits[b.starts[o.Game].Role] = o.Winner != nil && *o.Winner == rules.Defender
		}
	}
	second := overs[1].Match
	switch won, lost := forfeits[rules.Defender], forfeits[rules.Attacker]; {
	case won && lost:
		return "drawn"
	case won, !lost && *second.YourScore > *second.OpponentScore:
		return "won"
	case lost, *second.YourScore < *second.OpponentScore:
		return "lost"
	}
	return "drawn"
}

// playDocumented plays an event of the two bots and returns its matches as the arena decides them.
func playDocumented(t *testing.T, e tournament.Event, bots ...*documentedBot) (matches []server.MatchNews) {
	t.Helper()
	c := serve(t, newStore(), nil)
	played := make(chan error, len(bots))
	for _, b := range bots {
		b.starts, b.last = map[string]protocol.Start{}, map[string]protocol.Request{}
		b.ws, _ = hello(t, c, b.name, "", nil)
		e.Bots = append(e.Bots, b.name)
		go func() { played <- b.play(2 * e.Matches) }()
	}
	if list, err := c.Bots(t.Context()); err != nil || len(list) != 2 || list[0].Slots != 1 {
		t.Errorf("bots that name no slots are listed as %+v: %v", list, err)
	}
	event, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	for range bots {
		if err := <-played; err != nil {
			t.Fatal(err)
		}
	}
	err = c.FollowNews(t.Context(), event, func(n server.News) error {
		if n.Match != nil {
			matches = append(matches, *n.Match)
		}
		return nil
	})
	if err != nil || len(matches) != e.Matches {
		t.Fatalf("matches %+v, error %v", matches, err)
	}
	return matches
}

// A bot that follows the document knows its side and the winner of each match.
func TestDocumentedWinner(t *testing.T) {
	t.Parallel()
	type faults = map[rules.Side]bool
	for name, tc := range map[string]struct {
		ann, bob faults
		by       tournament.Decision
	}{
		"no faults":                   {nil, nil, tournament.ByScore},
		"an attacker's fault":         {faults{rules.Attacker: true}, nil, tournament.ByForfeit},
		"both attackers' faults":      {faults{rules.Attacker: true}, faults{rules.Attacker: true}, tournament.ByDoubleForfeit},
		"a defender's fault":          {nil, faults{rules.Defender: true}, tournament.ByScore},
		"an attacker's and the other": {faults{rules.Attacker: true}, faults{rules.Defender: true}, tournament.ByForfeit},
	} {
		t.Run(name, func(t *testing.T) {
			ann, bob := &documentedBot{name: "ann", faulty: tc.ann}, &documentedBot{name: "bob", faulty: tc.bob}
			e := tournament.Event{Size: rules.Size{Width: 3, Height: 3}, Matches: 2, Concurrency: 2}
			for _, m := range playDocumented(t, e, ann, bob) {
				if m.By != tc.by {
					t.Errorf("match %d is decided by %s, want %s", m.Match, m.By, tc.by)
				}
				for _, b := range []*documentedBot{ann, bob} {
					b.checkRoles(t, m)
					want := map[tournament.Outcome]string{tournament.FirstWins: "lost", tournament.SecondWins: "lost", tournament.Drawn: "drawn"}[m.Outcome]
					if m.Outcome == tournament.FirstWins && b.name == m.First || m.Outcome == tournament.SecondWins && b.name == m.Second {
						want = "won"
					}
					if got := b.result(m.Match); got != want {
						t.Errorf("match %d ends %s by %s: for %s the document gives %s", m.Match, m.Outcome, m.By, b.name, got)
					}
				}
			}
		})
	}
}

// checkRoles checks that the match's first bot defends in leg 1, and the second one in leg 2.
func (b *documentedBot) checkRoles(t *testing.T, m server.MatchNews) {
	t.Helper()
	for _, s := range b.starts {
		if s.Match == m.Match && (s.Role == rules.Defender) != ((s.Leg == 1) == (b.name == m.First)) {
			t.Errorf("%s is %v in leg %d of %+v", b.name, s.Role, s.Leg, m)
		}
	}
}

// plies and max_turns do not count an opening, ply does; the first slide counts as a turn.
func TestDocumentedPlies(t *testing.T) {
	var e tournament.Event
	description := `{"size": "3x3", "matches": 1, "concurrency": 2, "settings": {
		"openings": {"source": "the test", "starts": ["2,0,0/0,0,0/0,2,0 D 0 3"]}, "adjudication": {"max_turns": 5}}}`
	if err := json.Unmarshal([]byte(description), &e); err != nil {
		t.Fatal(err)
	}
	ann, bob := &documentedBot{name: "ann"}, &documentedBot{name: "bob"}
	playDocumented(t, e, ann, bob)
	for _, b := range []*documentedBot{ann, bob} {
		for _, o := range b.overs {
			start, last := b.starts[o.Game], b.last[o.Game]
			played := start.Ply + o.Plies
			if b.starts[o.Game].Role == rules.Attacker {
				played-- // the defender made the last ply
			}
			got := fmt.Sprint(start.Resumed, " ", start.Ply, " ", o.Ending, " ", o.Plies)
			if want := fmt.Sprint(false, " ", 3, " ", record.MaxTurns, " ", 9); got != want || last.Ply+1 != played {
				t.Errorf("%s: resumed, ply, ending and plies are %s, want %s; the last request is for ply %d", b.name, got, want, last.Ply)
			}
		}
	}
}
