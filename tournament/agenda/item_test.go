package agenda

import (
	"testing"
	"time"
)

// series returns an item of a series that begins at 20:00.
func series(t *testing.T, every string, wait time.Duration) Item {
	t.Helper()
	e, err := ParseEvery(every)
	if err != nil {
		t.Fatal(err)
	}
	return Item{Event: 7, Wanted: Running, Begin: at(t, "2026-12-01T20:00:00Z"), Wait: wait, Every: e, Nth: 1, Series: 7}
}

// An arena that was down begins the last event that it has missed, late, or waits for the next one.
func TestRoll(t *testing.T) {
	for _, c := range []struct {
		every     string
		wait      time.Duration
		now, want string
	}{
		{"day@20:00", 0, "2026-12-01T19:00:00Z", "2026-12-01T20:00:00Z"},
		{"day@20:00", 0, "2026-12-01T20:00:00Z", "2026-12-01T20:00:00Z"},
		{"day@20:00", 0, "2026-12-02T19:59:00Z", "2026-12-01T20:00:00Z"}, // late, but nothing else was missed
		{"day@20:00", 0, "2026-12-02T20:00:00Z", "2026-12-02T20:00:00Z"}, // the last one counts
		{"day@20:00", 0, "2026-12-24T21:00:00Z", "2026-12-24T20:00:00Z"},
		{"day@20:00", time.Hour, "2026-12-24T20:59:00Z", "2026-12-24T20:00:00Z"},
		{"day@20:00", time.Hour, "2026-12-24T21:00:00Z", "2026-12-25T20:00:00Z"}, // too late
		{"24h", 0, "2026-12-24T21:00:00Z", "2026-12-24T20:00:00Z"},
		{"24h", time.Hour, "2026-12-24T21:00:00Z", "2026-12-25T20:00:00Z"},
		{"24h", 48 * time.Hour, "2026-12-24T21:00:00Z", "2026-12-24T20:00:00Z"},
		{"mon@20:00", time.Hour, "2026-12-08T20:00:00Z", "2026-12-14T20:00:00Z"},
		{"", time.Hour, "2026-12-24T21:00:00Z", "2026-12-01T20:00:00Z"}, // no series
	} {
		item := series(t, c.every, c.wait)
		rolled, missed := item.Roll(at(t, c.now))
		if want := at(t, c.want); !rolled.Begin.Equal(want) || missed == want.Equal(item.Begin) {
			t.Errorf("%q, waiting for %v: at %s it begins at %s (missed: %v), want %s", c.every, c.wait, c.now, rolled.Begin, missed, c.want)
		}
		if again, missed := rolled.Roll(at(t, c.now)); missed || !again.Begin.Equal(rolled.Begin) {
			t.Errorf("%q: at %s it is rolled twice, to %s", c.every, c.now, again.Begin)
		}
		if rolled.Expired(at(t, c.now)) != (c.every == "") {
			t.Errorf("%q: at %s it is expired: %v", c.every, c.now, rolled.Expired(at(t, c.now)))
		}
	}
}

func TestExpired(t *testing.T) {
	begin := at(t, "2026-12-01T20:00:00Z")
	for _, c := range []struct {
		wait time.Duration
		now  time.Time
		want bool
	}{
		{0, begin.Add(10000 * time.Hour), false},
		{time.Hour, begin.Add(59 * time.Minute), false},
		{time.Hour, begin.Add(time.Hour), true},
	} {
		if item := (Item{Begin: begin, Wait: c.wait}); item.Expired(c.now) != c.want {
			t.Errorf("waiting for %v, expired at %s: %v", c.wait, c.now, !c.want)
		}
	}
	begun := Item{Begin: begin, Wait: time.Hour}.Begun()
	if begun.Expired(begin.Add(10000*time.Hour)) || !begun.Due(begin.Add(-time.Hour)) {
		t.Errorf("an item that has begun has a time: %+v", begun)
	}
}

// An event that is played once has no next time.
func TestNoNextTime(t *testing.T) {
	begin := at(t, "2026-12-01T20:00:00Z")
	if after, latest := (Every{}).after(begin, begin), (Every{}).latest(begin, begin); !after.IsZero() || !latest.IsZero() {
		t.Errorf("after it comes %s, the last one was at %s", after, latest)
	}
}

func TestNext(t *testing.T) {
	item := series(t, "day@20:00", time.Hour)
	item.Times = 3
	for n := 2; n <= 3; n++ {
		next, more := item.Next()
		if want := item.Begin.Add(24 * time.Hour); !more || next.Nth != n || !next.Begin.Equal(want) || next.Event != 0 || next.Series != 7 || next.Wait != time.Hour {
			t.Fatalf("after %+v comes %+v (%v)", item, next, more)
		}
		item = next
	}
	if next, more := item.Next(); more {
		t.Errorf("after the last one comes %+v", next)
	}
	if next, more := item.Begun().Next(); more {
		t.Errorf("an item that has begun has another next one: %+v", next)
	}
	if skipped := series(t, "day@20:00", 0).Skip(at(t, "2026-12-03T21:00:00Z")); !skipped.Begin.Equal(at(t, "2026-12-04T20:00:00Z")) {
		t.Errorf("skipped to %s", skipped.Begin)
	}
	if skipped := series(t, "24h", 0).Skip(at(t, "2026-11-03T21:00:00Z")); !skipped.Begin.Equal(at(t, "2026-12-02T20:00:00Z")) {
		t.Errorf("skipped to %s", skipped.Begin)
	}
}

func TestValidate(t *testing.T) {
	for _, item := range []Item{{Wait: -1}, {Times: -1}, {Times: 2}} {
		if item.Validate() == nil {
			t.Errorf("%+v is valid", item)
		}
	}
	if item := series(t, "24h", time.Hour); item.Validate() != nil {
		t.Error(item.Validate())
	}
}

// The seeds of a series are fixed: given the first one, all events can be played again.
func TestSeeds(t *testing.T) {
	for nth, want := range map[int]uint64{0: 42, 1: 42, 2: 978355679009024, 3: 6351598150017539} {
		if got := Seed(42, nth); got != want {
			t.Errorf("seed %d of 42 is %d, want %d", nth, got, want)
		}
	}
	seen := map[uint64]bool{}
	for first := range uint64(20) {
		for nth := 2; nth < 100; nth++ {
			if s := Seed(first, nth); s >= 1<<53 || seen[s] {
				t.Fatalf("seed %d of %d is %d: too large, or there twice", nth, first, s)
			} else {
				seen[s] = true
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name string
		nth  int
		want string
	}{
		{"spring open", 1, "spring open #1"},
		{"spring open #1", 2, "spring open #2"},
		{"spring open #99", 100, "spring open #100"},
		{"#1 of all", 2, "#1 of all #2"},
		{"number #one", 3, "number #one #3"},
		{"", 1, " #1"},
	} {
		if got := Name(c.name, c.nth); got != c.want {
			t.Errorf("number %d of %q is %q, want %q", c.nth, c.name, got, c.want)
		}
	}
}
