package agenda

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// hall is a Room with connected bots. Each bot plays in one event at a time.
type hall struct {
	needs  map[int64][]string
	here   map[string]bool
	taken  map[string]int64
	begun  []int64
	refuse map[int64]error
}

func newHall(bots ...string) *hall {
	h := &hall{needs: map[int64][]string{}, here: map[string]bool{}, taken: map[string]int64{}}
	for _, bot := range bots {
		h.here[bot] = true
	}
	return h
}

func (h *hall) Needs(event int64) []string { return h.needs[event] }

func (h *hall) Look(event int64) (absent, busy []string) {
	for _, bot := range h.needs[event] {
		if !h.here[bot] {
			absent = append(absent, bot)
		} else if h.taken[bot] != 0 {
			busy = append(busy, bot)
		}
	}
	return absent, busy
}

func (h *hall) Begin(event int64) error {
	if err := h.refuse[event]; err != nil {
		return err
	}
	for _, bot := range h.needs[event] {
		h.taken[bot] = event
	}
	h.begun = append(h.begun, event)
	return nil
}

// end lets an event end.
func (h *hall) end(event int64) {
	for _, bot := range h.needs[event] {
		if h.taken[bot] == event {
			delete(h.taken, bot)
		}
	}
}

var now = time.Date(2026, time.December, 1, 20, 0, 0, 0, time.UTC)

func TestAdmit(t *testing.T) {
	for name, c := range map[string]struct {
		needs   map[int64][]string
		here    []string
		playing string // a bot that plays in another event
		later   int64  // an event that is not due yet
		begun   []int64
		waiting map[int64]Obstacles
	}{
		"the first one has its bots": {
			needs: map[int64][]string{1: {"a", "b"}, 2: {"a", "c"}, 3: {"d", "e"}},
			here:  []string{"a", "b", "c", "d", "e"}, begun: []int64{1, 3},
			waiting: map[int64]Obstacles{2: {Busy: []string{"a"}}},
		},
		"an event whose bots are all here keeps its place": {
			needs: map[int64][]string{1: {"a", "b"}, 2: {"b", "c"}, 3: {"c", "d"}},
			here:  []string{"a", "b", "c", "d"}, playing: "a",
			waiting: map[int64]Obstacles{1: {Busy: []string{"a"}}, 2: {Behind: []int64{1}}, 3: {Behind: []int64{2}}},
		},
		"an absent bot keeps nobody waiting": {
			needs: map[int64][]string{1: {"a", "b"}, 2: {"b", "c"}},
			here:  []string{"b", "c"}, begun: []int64{2},
			waiting: map[int64]Obstacles{1: {Absent: []string{"a"}}},
		},
		"no bots of its own": {
			needs: map[int64][]string{1: nil, 2: {"a"}}, begun: []int64{1},
			waiting: map[int64]Obstacles{2: {Absent: []string{"a"}}},
		},
		"its time has not come": {
			needs: map[int64][]string{1: {"a", "b"}, 2: {"a", "b"}},
			here:  []string{"a", "b"}, later: 1, begun: []int64{2},
			waiting: map[int64]Obstacles{},
		},
	} {
		h := newHall(c.here...)
		h.needs = c.needs
		if c.playing != "" {
			h.taken[c.playing] = 99
		}
		var items []Item
		for event := range c.needs {
			item := Item{Event: event, Place: event}
			if event == c.later {
				item.Begin = now.Add(time.Minute)
			}
			items = append(items, item)
		}
		waiting := Admit(items, now, h)
		if !slices.Equal(h.begun, c.begun) || !reflect.DeepEqual(waiting, c.waiting) {
			t.Errorf("%s: begun %v, want %v; waiting %+v, want %+v", name, h.begun, c.begun, waiting, c.waiting)
		}
	}
}

func TestAdmitTellsWhy(t *testing.T) {
	h := newHall("a")
	h.needs[1], h.refuse = []string{"a"}, map[int64]error{1: errors.New("no memory")}
	if o := Admit([]Item{{Event: 1}}, now, h)[1]; o.Other != "no memory" {
		t.Errorf("in the way is %+v", o)
	}
}

// An event that lacks something other than bots does not delay other events.
func TestAdmitBehindWhatLacksMemory(t *testing.T) {
	h := newHall("a", "b")
	h.needs[1], h.needs[2] = []string{"a", "b"}, []string{"b"}
	h.refuse = map[int64]error{1: errors.New("no memory")}
	waiting := Admit([]Item{{Event: 1, Place: 1}, {Event: 2, Place: 2}}, now, h)
	if want := map[int64]Obstacles{1: {Other: "no memory"}}; !slices.Equal(h.begun, []int64{2}) || !reflect.DeepEqual(waiting, want) {
		t.Errorf("begun %v, waiting %+v", h.begun, waiting)
	}
}

// However bots come and go, each event begins some time after its bots stay. No event begins before an earlier event
// that has all its bots if both need the same bot.
func TestQueueGoesOn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bots := []string{"a", "b", "c", "d", "e"}
	for range 300 {
		h := newHall()
		var items []Item
		for event := int64(1); event <= 12; event++ {
			random.Shuffle(len(bots), func(i, j int) { bots[i], bots[j] = bots[j], bots[i] })
			h.needs[event] = slices.Clone(bots[:2+random.IntN(2)])
			items = append(items, Item{Event: event, Place: event})
		}
		for round := 0; len(items) > 0; round++ {
			for _, bot := range bots {
				h.here[bot] = round > 40 || random.IntN(3) > 0
			}
			first := len(h.begun)
			waiting := Admit(items, now, h)
			for _, begun := range h.begun[first:] {
				for event, o := range waiting {
					if event < begun && len(o.Absent) == 0 && slices.ContainsFunc(h.needs[event], func(bot string) bool { return slices.Contains(h.needs[begun], bot) }) {
						t.Fatalf("event %d, which has all its bots, was overtaken by event %d", event, begun)
					}
				}
			}
			items = slices.DeleteFunc(items, func(i Item) bool { return slices.Contains(h.begun, i.Event) })
			for _, event := range h.begun {
				if random.IntN(2) == 0 {
					h.end(event)
				}
			}
			if round > 200 {
				t.Fatalf("after %d rounds there are still %d events: %+v", round, len(items), waiting)
			}
		}
	}
}

func TestSleep(t *testing.T) {
	soon, tomorrow := Item{Begin: now.Add(3 * time.Second)}, Item{Begin: now.Add(24 * time.Hour)}
	for _, c := range []struct {
		items []Item
		want  time.Duration
	}{
		{nil, longestSleep},
		{[]Item{tomorrow}, longestSleep},
		{[]Item{tomorrow, soon}, 3 * time.Second},
		{[]Item{tomorrow, {}}, time.Second / 5},
	} {
		if got := Sleep(c.items, now, time.Second/5); got != c.want {
			t.Errorf("with %+v it sleeps for %v, want %v", c.items, got, c.want)
		}
	}
}
