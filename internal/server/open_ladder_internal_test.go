package server

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/roster"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// A bot that is struck out is noted as the version that it was then, not as a version that finishes its match, until it
// has joined again.
func TestStruckVersion(t *testing.T) {
	e := tournament.Event{ID: 1, Rules: rules.GPCC2015, Size: rules.Full, Concurrency: 1, Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}}}
	e.Settings.Plan = tournament.Plan{Kind: tournament.Ladder, Open: tournament.OpenAll}
	e.Settings.Strikes.Faults = 1
	recorded := NewRecord(e)
	l := &lineup{slots: map[string]*roster.Slot{}}
	d := newOpenLadder(&run{host: &host{log: slog.New(slog.DiscardHandler)}, feed: newFeed(recorded)}, l)
	comesAs := func(version string) {
		l.slots["ann"] = &roster.Slot{Session: protocol.NewSession(protocol.Hello{Name: "ann", Version: version}, time.Hour)}
		d.strike("ann")
	}
	comesAs("0")
	if len(d.struck) > 0 {
		t.Errorf("without faults: %+v", d.struck)
	}
	lost := tournament.Game{Pairing: tournament.Pairing{Match: 1, First: "bob", Second: "ann"}, Leg: 1}
	lost.Record.Start, lost.Record.Ending = rules.NewPosition(e.Rules, e.Size), record.Time
	recorded.Add(tournament.ResultOf(&lost))
	for _, version := range []string{"1", "2"} {
		if comesAs(version); d.struck["ann"].Version != "1" {
			t.Errorf("as version %s: noted is %+v, want version 1", version, d.struck["ann"])
		}
	}
	d.forgive("ann")
	if comesAs("2"); d.struck["ann"].Version != "2" {
		t.Errorf("noted is %+v, want version 2", d.struck["ann"])
	}
}

// A bot that joins and leaves again and again has to wait, and others do not.
func TestBotsThatComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := tournament.Event{ID: 1, Rules: rules.GPCC2015, Size: rules.Full, Concurrency: 1, Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}}}
		e.Settings.Plan = tournament.Plan{Kind: tournament.Ladder, Open: tournament.OpenAll}
		d := newOpenLadder(&run{host: &host{log: slog.New(slog.DiscardHandler)}, feed: newFeed(NewRecord(e))}, &lineup{})
		left := map[string]bool{"ann": true, "bob": true}
		joins := func(name string) (n int) {
			for range 100 {
				d.forget()
				if d.admits(&e, left, protocol.Hello{Name: name}) {
					n++
				}
			}
			return n
		}
		if n := joins("ann"); n != joinsAtOnce {
			t.Errorf("it joins %d times, want %d", n, joinsAtOnce)
		}
		if n := joins("bob"); n != joinsAtOnce {
			t.Errorf("another one joins %d times, want %d", n, joinsAtOnce)
		}
		<-time.After(joinsEvery)
		if n := joins("ann"); n != 1 {
			t.Errorf("after %v it joins %d times, want once", joinsEvery, n)
		}
		<-time.After(2 * joinsAtOnce * joinsEvery)
		if d.forget(); len(d.returns)+len(d.refused) > 0 {
			t.Errorf("%d and %d are remembered", len(d.returns), len(d.refused))
		}
	})
}
