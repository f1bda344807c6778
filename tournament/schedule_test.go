package tournament

import (
	"slices"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// nothing is a format without matches.
type nothing struct{}

func (nothing) Add(MatchResult)           {}
func (nothing) Next(Free) (Pairing, bool) { return Pairing{}, false }
func (nothing) Total() Total              { return Total{Matches: 1} }
func (nothing) Standings() Standings      { return Standings{} }
func (nothing) Encounters() []Encounter   { return nil }
func (nothing) SetAside() SetAside        { return nil }
func (nothing) Settled(string) int        { return 0 }
func (nothing) Due(string) bool           { return false }
func (nothing) SetLineup(Event)           {}

func TestJoinOnlyALadder(t *testing.T) {
	e := Event{Size: rules.Full, Matches: 1, Concurrency: 1, Entries: []Entry{{Name: "a"}, {Name: "b"}}}
	s, err := newSchedule(NewScoreboard(e, nothing{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	late := &LocalBot{ID: Identity{Name: "late"}, Games: 1, New: func(players.Game) players.Player { return nil }}
	if _, err := s.changed(LineupChange{Entry: Entry{Name: "late"}, Bot: late}); err == nil {
		t.Error("no error for a round-robin")
	}
}

// league is a format that bots join and leave.
type league struct{ nothing }

func (league) Total() Total      { return Total{Matches: 9, Joinable: true} }
func (league) Listed() int       { return 4 }
func (league) Void(Pairing) bool { return false }

// No more bots join an open ladder than it may have, even if an operator lets them join. A bot that
// has left comes back.
func TestJoinNoMoreThanMost(t *testing.T) {
	for open, wanted := range map[Entrance]bool{OpenAll: false, Closed: true} {
		e := Event{Rules: rules.GPCC2015, Size: rules.Full, Concurrency: 1, Entries: []Entry{{Name: "a"}, {Name: "b"}}}
		e.Settings.Plan = Plan{Kind: "ladder", Open: open}
		if open != Closed {
			e.Settings.Plan.Most = 2
		}
		e.endMembership("b", 3)
		s, err := newSchedule(NewScoreboard(e, league{}), nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, joins := range map[string]bool{"b": true, "late": wanted} {
			if _, err := s.changed(LineupChange{Entry: Entry{Name: name}, Bot: &LocalBot{}}); (err == nil) != joins {
				t.Errorf("a ladder open to %q: %s joins: %v", open, name, err)
			}
		}
	}
}

// A bot joins a Swiss event for the matches that are not listed yet, leaves it after the last match that it has begun, and
// does not come back.
func TestJoinASwiss(t *testing.T) {
	e := Event{Rules: rules.GPCC2015, Size: rules.Full, Matches: 1, Concurrency: 1, Entries: []Entry{{Name: "a"}, {Name: "b"}}}
	e.Settings.Plan.Kind = Swiss
	s, err := newSchedule(NewScoreboard(e, league{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	joins, leaves := LineupChange{Entry: Entry{Name: "late"}, Bot: &LocalBot{}}, LineupChange{Entry: Entry{Name: "late"}}
	for _, step := range []struct {
		LineupChange
		to int
	}{{joins, NotLeft}, {leaves, 7}} {
		e, err := s.changed(step.LineupChange)
		if want := []Membership{{"late", 5, step.to}}; err != nil || !slices.Equal(e.Memberships, want) {
			t.Fatalf("memberships %v, want %v, error %v", e.Memberships, want, err)
		}
		s.change(e)
		s.latest["late"] = 7
	}
	if _, err := s.changed(joins); err == nil {
		t.Error("a bot that has left joins again")
	}
}

// Under the entry of a bot that has left no other bot joins.
func TestJoinUnderAnEntry(t *testing.T) {
	e := Event{Rules: rules.GPCC2015, Size: rules.Full, Concurrency: 1, Entries: []Entry{{Name: "a"}, {Name: "b", Spec: "greedy"}}}
	e.Settings.Plan.Kind = "ladder"
	e.endMembership("b", 3)
	s, err := newSchedule(NewScoreboard(e, league{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for spec, joins := range map[string]bool{"greedy": true, "random": false, "": false} {
		if _, err := s.changed(LineupChange{Entry: Entry{Name: "b", Spec: spec}, Bot: &LocalBot{}}); (err == nil) != joins {
			t.Errorf("b joins as %q: %v", spec, err)
		}
	}
}

func TestReplayedStopwatch(t *testing.T) {
	start := rules.NewPosition(rules.GPCC2015, rules.Full)
	w := replayed(&record.Record{Start: start, Moves: make([]rules.Move, 4), Times: []time.Duration{0, 70 * time.Millisecond, 1, 0}})
	if w.used != [2]time.Duration{1, 70 * time.Millisecond} || w.moves != [2]int{2, 2} {
		t.Errorf("the clocks after the record are %+v", w)
	}
}

// sequence is a format of two bots that always has another match.
type sequence struct {
	nothing
	next int
}

func (s *sequence) Next(free Free) (Pairing, bool) {
	p := Pairing{Match: s.next + 1, Round: 1, Nth: s.next + 1, First: "a", Second: "b"}
	if !free.Match(p) {
		return Pairing{}, false
	}
	s.next++
	return p, true
}

// Where chance places the tiles each bot plays its own game of a match. One that is quicker
// than the other plays on, but not so far that the open games of the other pile up.
func TestOneBotRunsAheadAFewMatches(t *testing.T) {
	bot := func(name string) Bot { return &LocalBot{ID: Identity{Name: name}, Games: 1} }
	e := Event{Rules: rules.Solo, Size: rules.Full, Concurrency: 2, Entries: []Entry{{Name: "a"}, {Name: "b"}}}
	s, err := newSchedule(NewScoreboard(e, &sequence{}), map[string]Bot{"a": bot("a"), "b": bot("b")})
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for {
		g, ok := s.start()
		if !ok {
			break
		}
		if g.Record.Defender == "b" { // a's first game does not end
			played++
			g.Record.Ending = record.Mate
			s.end(&g, ResultOf(&g))
		}
	}
	if played < 2 || played > mostWaiting+1 || len(s.open) > mostWaiting {
		t.Errorf("b has played %d games, and %d of a wait", played, len(s.open))
	}
}

// A bot that joins a ladder and leaves it again and again before it is given a match costs no more each time: of these
// stays the event keeps the last one.
func TestStaysWithoutMatches(t *testing.T) {
	e := Event{Entries: []Entry{{Name: "a"}, {Name: "b"}}}
	e.endMembership("a", 3)
	e.endMembership("b", 9)
	for match := 10; match < 100; match++ {
		e.beginMembership("a", match)
		if e.Left()["a"] || !e.Left()["b"] || !e.Present("a") {
			t.Fatalf("a has joined: %+v", e.Memberships)
		}
		e.endMembership("a", match-1)
		if !e.Left()["a"] || e.Present("a") || TakesPart(e.Memberships, "a", match) {
			t.Fatalf("a has left: %+v", e.Memberships)
		}
	}
	e.beginMembership("a", 100)
	want := []Membership{{"a", 1, 3}, {"b", 1, 9}, {"a", 100, NotLeft}}
	if !slices.Equal(e.Memberships, want) {
		t.Errorf("%+v, want %+v", e.Memberships, want)
	}
}
