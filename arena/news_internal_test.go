package arena

import (
	"reflect"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// A news log keeps the latest news and reports how many a slow reader has missed.
func TestNewsLogDropsOldest(t *testing.T) {
	b := newNewsLog()
	const all = 2*keptNews + 7
	for i := range all {
		b.add(News{Event: int64(i)})
	}
	for _, from := range []int{0, 5, all - 3, all} {
		news, lost, _ := b.since(from)
		if from+lost+len(news) != all || len(news) > 0 && news[0].Event != int64(from+lost) {
			t.Errorf("since %d: %d lost, then %d", from, lost, len(news))
		}
		if (lost > 0) != (from < 100) || len(news) > 2*keptNews {
			t.Errorf("since %d: %d lost, %d kept", from, lost, len(news))
		}
	}
	b.add(News{Type: EventFinished})
	b.add(News{Type: EventPaused})
	if news, _, _ := b.since(all); len(news) != 1 || news[0].Type != EventFinished {
		t.Errorf("at the end: %+v", news)
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
