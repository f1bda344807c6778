package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
	"versus2048/tournament/report"
)

func TestTournamentOnRunningArena(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	h.bot(t, "ann", "random")
	h.bot(t, "bob", "greedy", "--slots", "1")
	h.bot(t, "cid", "evminimax:depth=1", "--author", "somebody")
	h.await(t, 3)
	if bots, _, code := run(t, "arena", "bots", "--server", h.client.URL); code != 0 || !strings.Contains(bots, "cid") {
		t.Fatalf("arena bots exits with %d: %s", code, bots)
	}
	for format, want := range map[string]string{
		"table":    "name  origin     games at once  playing in events  version  spec\n",
		"json":     "\"author\": \"somebody\"",
		"csv":      "name,slots,event,version,author,spec,origin,events,playing\nann,",
		"markdown": " | somebody | evminimax:",
	} {
		arenaCommand(t, want, "bots", "--server", h.client.URL, "--format", format)
	}

	stdout, stderr, code := run(t, "arena", "event", "run", "--server", h.client.URL, "--json",
		"--bot", "ann", "--bot", "bob", "--bot", "cid", "--bot", "dan=random:seed=3", "--matches", "1", "--size", "3x3")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var report struct {
		Event      int64
		Crosstable report.Crosstable
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	games := h.games(t, report.Event)
	if len(games) != 12 {
		t.Fatalf("%d games, want 12", len(games))
	}
	checkPoints(t, report.Crosstable, games)
	h.verify(t, report.Event, 12)
	if list, _, code := run(t, "arena", "event", "list", "--server", h.client.URL); code != 0 || !strings.Contains(list, "finished  12 of 12") {
		t.Errorf("arena event list exits with %d: %s", code, list)
	}
	for _, id := range []string{"1", "12"} {
		if text, stderr, code := run(t, "arena", "replay", id, "--db", h.db); code != 0 || !strings.Contains(text, "mate:") {
			t.Errorf("replay of game %s exits with %d: %s%s", id, code, text, stderr)
		}
	}
}

// checkPoints counts the points again, from the records of the games alone.
func checkPoints(t *testing.T, table report.Crosstable, games map[gameName]record.Record) {
	t.Helper()
	points := map[string]float64{}
	for name, a := range games {
		if name.leg == 2 {
			continue
		}
		b := games[gameName{name.match, 2}]
		lastA, _ := a.Replay()
		lastB, _ := b.Replay()
		switch {
		case lastA.Score() > lastB.Score():
			points[a.Defender]++
		case lastA.Score() < lastB.Score():
			points[b.Defender]++
		default:
			points[a.Defender] += 0.5
			points[b.Defender] += 0.5
		}
	}
	if len(table.Standings) != 4 {
		t.Errorf("%d bots have a place, want 4", len(table.Standings))
	}
	for i, s := range table.Standings {
		if s.Points != points[s.Name] || s.Played != 3 {
			t.Errorf("%s has %v points of %d matches, want %v of 3", s.Name, s.Points, s.Played, points[s.Name])
		}
		if i > 0 && table.Standings[i-1].Points < s.Points {
			t.Errorf("rank %d has fewer points than rank %d", i, i+1)
		}
	}
}

// The seed alone determines every game of an event, however many are played at once.
func TestSeedDeterminesGames(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	for i, kind := range playedFormats() {
		var games [2]map[gameName]record.Record
		for j, concurrency := range []int{1, 4} {
			event, err := h.client.Start(t.Context(), rerunSetup(t, kind, concurrency, i%2 == 0))
			if err != nil {
				t.Fatal(err)
			}
			h.standings(t, event)
			games[j] = h.games(t, event)
		}
		wantSameGames(t, kind, games[1], games[0])
	}
}

// rerunSetup returns an event of the format inside the arena's process. The searches
// of its bots count playouts or slides, not time. With openings, the second games of
// matches may be decided early.
func rerunSetup(t *testing.T, kind string, concurrency int, openings bool) tournament.Event {
	t.Helper()
	s := formatSetup(kind)
	s.Size, s.Seed, s.Concurrency = rules.Size{Width: 3, Height: 3}, 2048, concurrency
	s.Bots = []string{
		"a=mcts:playouts=20", "b=evminimax:depth=2", "c=mctsplus:playouts=20", "d=dag:playouts=20",
		"e=random", "f=mcts:playouts=9,reuse=true", "g=greedy",
	}
	if kind == tournament.SPRT {
		s.Bots = s.Bots[:2]
	}
	if openings {
		starts, err := recipe.LoadOpenings("random:plies=4,seed=1,count=6", recipe.Variant{Size: s.Size})
		if err != nil {
			t.Fatal(err)
		}
		s.Settings.Openings = tournament.NewOpenings("random", starts)
		s.Settings.Adjudication.EarlyDecision = true
	}
	return s
}

func wantSameGames(t *testing.T, what string, got, want map[gameName]record.Record) {
	t.Helper()
	if len(got) != len(want) || len(got) < 4 {
		t.Errorf("%s: %d games, want %d", what, len(got), len(want))
	}
	for name, a := range want {
		b := got[name]
		if a.Start != b.Start || !slices.Equal(a.Moves, b.Moves) || a.Ending != b.Ending || a.Attacker != b.Attacker || a.Defender != b.Defender {
			t.Errorf("%s: game %+v is\n%+v\nwant\n%+v", what, name, b, a)
		}
	}
}
