package metrics_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server/metrics"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// scrape returns the lines of an answer that begin with a text.
func scrape(tb testing.TB, m *metrics.Metrics, begin string) (lines []string) {
	tb.Helper()
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range strings.Lines(answer.Body.String()) {
		if strings.HasPrefix(line, begin) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// expect checks that the metrics have these lines.
func expect(t *testing.T, m *metrics.Metrics, want ...string) {
	t.Helper()
	all := scrape(t, m, "versus2048_")
	for _, line := range want {
		if !slices.Contains(all, line) {
			name, _, _ := strings.Cut(line, " ")
			name, _, _ = strings.Cut(name, "{")
			t.Errorf("want %s, got\n%s", line, strings.Join(scrape(t, m, name), "\n"))
		}
	}
}

// silent watches nothing.
type silent struct{ tournament.Watcher }

func (silent) Begun(tournament.Game)                                             {}
func (silent) Played(*tournament.Game, tournament.Ply)                           {}
func (silent) Ended(tournament.Game, tournament.Result, *tournament.MatchResult) {}

// game returns a game of that many plies.
func game(r rules.Ruleset, plies int) tournament.Game {
	var g tournament.Game
	g.Record.Start = rules.NewPosition(r, rules.Full)
	g.Record.Moves = make([]rules.Move, plies)
	return g
}

// timed returns a game of that many plies that took one, two, three ... milliseconds.
func timed(r rules.Ruleset, plies int) tournament.Game {
	g := game(r, plies)
	for n := range plies {
		g.Record.Times = append(g.Record.Times, time.Duration(n+1)*time.Millisecond)
	}
	g.Record.Lags = make([]time.Duration, plies)
	return g
}

func TestGames(t *testing.T) {
	m := metrics.New("v1")
	w := m.Watch(silent{})
	g := timed(rules.GPCC2015, 18)
	g.Record.Lags[3] = 20 * time.Millisecond
	w.Begun(game(rules.GPCC2015, 0))
	for n := 1; n <= 18; n++ {
		now := g
		now.Record.Moves, now.Record.Times, now.Record.Lags = g.Record.Moves[:n], g.Record.Times[:n], g.Record.Lags[:n]
		w.Played(&now, tournament.Ply{})
		if want := n / 16 * 8; !slices.Contains(scrape(t, m, "versus2048_think"), fmt.Sprintf(`versus2048_think_seconds_count{role="attacker"} %d`, want)) {
			t.Errorf("after %d plies the attacker's times are %q, want %d", n, scrape(t, m, "versus2048_think_seconds_count"), want)
		}
	}
	g.Record.Ending, g.Record.Pauses = record.Time, []record.Pause{{Ply: 18, Away: 3 * time.Second}} // of the attacker
	w.Ended(g, tournament.ResultOf(&g), nil)
	chance := timed(rules.Solo, 3)
	chance.Record.Ending = record.Mate
	w.Ended(chance, tournament.ResultOf(&chance), nil)
	expect(t, m,
		"versus2048_games_begun_total 1",
		"versus2048_plies_total 18",
		`versus2048_think_seconds_sum{role="attacker"} 0.081`, // 1 + 3 + ... + 17
		`versus2048_think_seconds_count{role="attacker"} 9`,
		`versus2048_think_seconds_bucket{role="attacker",le="0.003"} 2`,
		`versus2048_think_seconds_count{role="defender"} 10`, // one of them in the game with chance
		"versus2048_lag_seconds_count 1",
		"versus2048_away_seconds_total 3",
		`versus2048_games_ended_total{ending="mate"} 1`,
		`versus2048_games_ended_total{ending="time"} 1`,
		`versus2048_games_ended_total{ending="resigned"} 0`,
		`versus2048_faults_total{fault="time",role="attacker"} 1`,
		`versus2048_faults_total{fault="time",role="defender"} 0`,
	)
}

func TestWhatHappens(t *testing.T) {
	m := metrics.New("v1")
	m.Expect([]string{"busy", "bad_hello"}, []string{"failed", "finished"})
	m.BotAdmitted()
	m.BotRefused("busy")
	m.EventEnded("failed")
	m.Stalled(2500 * time.Millisecond)
	m.RequestBegan()
	m.RequestBegan()
	m.RequestOver("GET /api/bots", 200, 2*time.Millisecond)
	m.RequestBegan()
	m.RequestOver("", 405, 0)
	m.Written(70*time.Millisecond, 5*time.Millisecond, nil)
	m.Written(0, 5*time.Millisecond, nil)
	m.Written(time.Second, time.Second, errors.New("the disk is full"))
	expect(t, m,
		"versus2048_bots_admitted_total 1",
		`versus2048_bots_refused_total{code="busy"} 1`,
		`versus2048_bots_refused_total{code="bad_hello"} 0`,
		`versus2048_events_ended_total{state="failed"} 1`, `versus2048_events_ended_total{state="finished"} 0`,
		"versus2048_stalls_total 1", "versus2048_stall_seconds_total 2.5",
		"versus2048_http_requests_open 1",
		`versus2048_http_requests_total{route="GET /api/bots",status="200"} 1`,
		`versus2048_http_requests_total{route="none",status="405"} 1`,
		`versus2048_http_request_seconds_bucket{route="GET /api/bots",le="0.003"} 1`,
		"versus2048_journal_failures_total 1",
		`versus2048_journal_delay_seconds_bucket{le="0.075"} 1`, "versus2048_journal_delay_seconds_count 1",
		"versus2048_journal_write_seconds_count 2",
	)
}

func TestPresent(t *testing.T) {
	m := metrics.New("v1")
	m.Show(func() metrics.State {
		return metrics.State{
			Connected: 3, Guests: 2, Away: 1, Events: map[string]int{"running": 2, "waiting": 1}, Playing: 5, Waiting: 4,
			Connections: metrics.Connections{Bots: 3, Strangers: 7, BotRoom: 30, StrangerRoom: 10, Refused: map[string]int{"too-many": 9}},
		}
	})
	m.ShowStorage(func() (metrics.Storage, error) {
		return metrics.Storage{
			Size: 4096, Log: 512, Free: 1 << 30, Backlog: 6, Oldest: 250 * time.Millisecond,
			Arena: metrics.Readers{Used: 1, Most: 8, Waited: 1500 * time.Millisecond}, Pages: metrics.Readers{Used: 2, Most: 8},
		}, nil
	})
	expect(t, m,
		`versus2048_bots{state="connected"} 3`, `versus2048_bots{state="away"} 1`, `versus2048_bots{state="guests"} 2`,
		`versus2048_events{state="running"} 2`, `versus2048_events{state="waiting"} 1`,
		"versus2048_games_playing 5", "versus2048_games_waiting 4",
		`versus2048_connections{kind="bots"} 3`, `versus2048_connections{kind="strangers"} 7`,
		`versus2048_connections_room{kind="bots"} 30`, `versus2048_connections_refused_total{reason="too-many"} 9`,
		`versus2048_database_bytes{file="database"} 4096`, `versus2048_database_bytes{file="log"} 512`,
		"versus2048_disk_free_bytes 1.073741824e+09",
		"versus2048_journal_backlog_plies 6", "versus2048_journal_backlog_seconds 0.25",
		`versus2048_database_readers{of="pages"} 2`, `versus2048_database_readers_most{of="arena"} 8`,
		`versus2048_database_readers_waited_seconds_total{of="arena"} 1.5`,
	)
}

func TestStorageThatCannotBeRead(t *testing.T) {
	m := metrics.New("v1")
	m.ShowStorage(func() (metrics.Storage, error) { return metrics.Storage{}, errors.New("the file is gone") })
	expect(t, m, "versus2048_plies_total 0") // the others are there all the same
	if lines := scrape(t, m, "versus2048_database"); lines != nil {
		t.Errorf("got %q", lines)
	}
}

// TestTwoArenas checks that nothing is shared: a process may have several arenas.
func TestTwoArenas(t *testing.T) {
	a, b := metrics.New("v1"), metrics.New("v1")
	a.BotAdmitted()
	expect(t, b, "versus2048_bots_admitted_total 0")
}

// BenchmarkPly measures the time that counting adds to a ply.
func BenchmarkPly(b *testing.B) {
	games := [16]tournament.Game{}
	for n := range games {
		games[n] = timed(rules.GPCC2015, n+1)
	}
	for name, w := range map[string]tournament.Watcher{"counted": metrics.New("v1").Watch(silent{}), "not counted": silent{}} {
		b.Run(name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for n := 0; pb.Next(); n++ {
					w.Played(&games[n%16], tournament.Ply{})
				}
			})
		})
	}
}
