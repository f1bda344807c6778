package server

import (
	"reflect"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// A news log keeps the latest news and reports how many a slow reader has missed.
func TestNewsLogDropsOldest(t *testing.T) {
	b := new(newsLog)
	const all = 2*keptNews + 7
	for i := range all {
		b.add(News{Event: int64(i)})
	}
	for _, from := range []int{0, 5, all - 3, all} {
		news, lost, _ := b.since(from)
		rest := all - from - lost
		if rest > 2*keptNews || len(news) != min(rest, newsAtOnce) || len(news) > 0 && news[0].Event != int64(from+lost) {
			t.Errorf("since %d: %d lost, then %d", from, lost, len(news))
		}
		if (lost > 0) != (from < 100) {
			t.Errorf("since %d: %d lost", from, lost)
		}
	}
	b.add(News{Type: EventFinished})
	b.add(News{Type: EventPaused})
	if news, _, _ := b.since(all); len(news) != 1 || news[0].Type != EventFinished {
		t.Errorf("at the end: %+v", news)
	}
}

// A slow reader gets all items that are kept, in order, but holds no more than a part of them: items that the log
// forgets meanwhile are freed.
func TestSlowNewsReaderHoldsLittle(t *testing.T) {
	b := new(newsLog)
	const all = 3*newsAtOnce + 7
	for i := range all {
		b.add(News{Event: int64(i)})
	}
	parts, next := 0, 0
	for more := true; more; parts++ {
		news, _, changed := b.since(next)
		more = changed == nil
		if cap(news) > 2*newsAtOnce {
			t.Fatalf("%d items are held at once, want at most %d", cap(news), newsAtOnce)
		}
		b.kept[next].Event = -1 // it is the reader's own copy
		for _, n := range news {
			if n.Event != int64(next) {
				t.Fatalf("item %d is %d", next, n.Event)
			}
			next++
		}
	}
	if next != all || parts != 4 {
		t.Errorf("%d of %d items in %d parts", next, all, parts)
	}
}

func TestNewsReaderReportsLoss(t *testing.T) {
	f := newFeed(NewRecord(tournament.Event{ID: 3, Entries: []tournament.Entry{{Name: "a"}, {Name: "b"}}, Matches: 1}))
	for range 2*keptNews + 7 {
		f.news.add(News{Type: GameStarted})
	}
	f.end(Failed, "no reason")
	var sent []News
	r := newsReader{feed: f, send: func(n News) error {
		sent = append(sent, n)
		return nil
	}}
	if err := r.follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	if first := sent[0]; first.Type != NewsLost || first.Lost+len(sent)-3 != 2*keptNews+7 {
		t.Errorf("first %+v of %d", first, len(sent))
	}
	if last := sent[len(sent)-1]; last.Type != EventFinished || last.Progress.State != Failed || last.Progress.Message != "no reason" {
		t.Errorf("last %+v", last)
	}
}

func TestFaultNews(t *testing.T) {
	start := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	place := start.AppendMoves(nil)[0]
	for bot, moves := range map[string][]rules.Move{"ann": nil, "bob": {place, start.Next(place).AppendMoves(nil)[0]}, "cid": {place}} {
		g := tournament.Game{ID: 5, Leg: 1, Record: record.Record{Start: start, Attacker: "ann", Defender: "cid", Moves: moves, Ending: record.Time, Detail: "too late"}}
		if bot == "bob" {
			g.Record.Attacker = "bob"
		}
		g.First, g.Second = g.Record.Defender, g.Record.Attacker
		result := tournament.ResultOf(&g)
		news := gameNews(3, &g, &result)
		want := FaultNews{Bot: bot, Game: 5, Fault: record.Time, Detail: "too late"}
		if len(news) != 2 || news[0].Type != GameFinished || news[1].Type != FaultCommitted || !reflect.DeepEqual(*news[1].Fault, want) {
			t.Errorf("news of a fault of %s: %+v", bot, news)
		}
	}
}
