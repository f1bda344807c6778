package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// contest returns an event of these bots.
func contest(bots ...string) tournament.Event {
	e := tournament.Event{Size: rules.Full, Matches: 2, Concurrency: 2, Clock: tournament.Clock{PerMove: time.Second}}
	for _, bot := range bots {
		e.Entries = append(e.Entries, tournament.Entry{Name: bot, Spec: bot})
	}
	return e
}

// played returns the record of a game with these times.
func played(attacker, defender string, ending record.Ending, times ...time.Duration) *record.Record {
	return &record.Record{Attacker: attacker, Defender: defender, Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: ending, Times: times}
}

// A forecast is computed from the games of the same bots without faults. If a bot has none, it is about usual bots.
func TestForecast(t *testing.T) {
	e := contest("greedy", "random")
	f := NewForecaster(e)
	const ms = time.Millisecond
	for _, game := range []struct {
		r    *record.Record
		want bool
	}{
		{played("greedy", "random", record.Mate, 10*ms, 30*ms, 10*ms, 30*ms), true},
		{played("random", "greedy", record.Mate, 30*ms, 10*ms), true},
		{played("greedy", "random", record.Time, 900*ms), false},
		{played("other", "another", record.Mate, 900*ms), false},
	} {
		if f.Add(e, game.r) != game.want {
			t.Errorf("the game %s - %s counts: %v", game.r.Attacker, game.r.Defender, !game.want)
		}
	}
	// A game has 3 plies on average, 1.5 of each bot.
	want := "about 1 s, 6 s if every move takes its whole time: 4 games, 3 plies each, 20 ms a ply, as in 2 earlier games of these bots"
	if got := f.Forecast(); got.Text() != want || got.About != 120*ms {
		t.Errorf("%s, %v, want %s", got.Text(), got.About, want)
	}
	e.Entries[0].Spec = "mcts"
	if got := NewForecaster(e).Forecast(); len(got.Unknown) != 2 || got.Earlier != 0 || got.Plies != 2865 || !strings.Contains(got.Text(), "as bots usually think") {
		t.Errorf("without games: %+v", got)
	}
	another := e
	another.Clock.PerMove = 2 * time.Second
	if f.Like(another) || !f.Like(e) {
		t.Error("an event with another clock tells about this one, or the same one does not")
	}
}

// An event takes longer if its games are played one after the other. Limits of times and turns bound how long it takes.
func TestForecastBounds(t *testing.T) {
	for name, test := range map[string]struct {
		kind   string
		change func(*tournament.Event)
		want   time.Duration
	}{
		"6 games at 2 at once": {tournament.RoundRobin, func(e *tournament.Event) {}, 3 * 200 * time.Second},
		"one game at once for bots that connect": {tournament.RoundRobin, func(e *tournament.Event) {
			for i := range e.Entries {
				e.Entries[i].Spec = ""
			}
		}, 6 * 200 * time.Second},
		"two games at once for a bot of the arena and two that connect": {tournament.RoundRobin, func(e *tournament.Event) {
			e.Concurrency, e.Entries[1].Spec, e.Entries[2].Spec = 8, "", ""
		}, 3 * 200 * time.Second},
		"only the defender is busy where chance attacks": {tournament.RoundRobin, func(e *tournament.Event) {
			e.Rules = rules.Solo
			for i := range e.Entries {
				e.Entries[i].Spec = ""
			}
		}, 3 * 100 * time.Second},
		"a final after two others": {tournament.Knockout, func(e *tournament.Event) { e.Concurrency = 9 }, 4 * 200 * time.Second},
		"by the total time":        {tournament.RoundRobin, func(e *tournament.Event) { e.Clock.Base = 30 * time.Second }, 3 * time.Minute},
		"without limits":           {tournament.RoundRobin, func(e *tournament.Event) { e.Settings.Adjudication.MaxTurns = 0 }, 0},
		"a century at most":        {tournament.RoundRobin, func(e *tournament.Event) { e.Matches, e.Clock.PerMove = 1_000_000, time.Hour }, Century},
		"any number of turns":      {tournament.RoundRobin, func(e *tournament.Event) { e.Settings.Adjudication.MaxTurns = math.MaxInt }, Century},
	} {
		e := contest("greedy", "random", "evminimax")
		e.Matches, e.Settings.Plan.Kind, e.Settings.Adjudication.MaxTurns = 1, test.kind, 100
		test.change(&e)
		if got := NewForecaster(e).Forecast(); got.Most != test.want || got.Plies < 1 {
			t.Errorf("%s: at most %v by %d plies, want %v", name, got.Most, got.Plies, test.want)
		}
	}
}

// Chance takes no time: where it attacks, only the defender's moves count.
func TestForecastWithChance(t *testing.T) {
	const ms = time.Millisecond
	e := contest("greedy", "random")
	e.Rules, e.Concurrency = rules.Solo, 1
	f := NewForecaster(e)
	if got := f.Forecast(); got.Plies != 2571 || got.About != 4*25710*ms {
		t.Errorf("without games: %+v", got)
	}
	f.Add(e, played(tournament.ChanceName, "greedy", record.Mate, 0, 10*ms, 0, 10*ms))
	f.Add(e, played(tournament.ChanceName, "random", record.Mate, 0, 30*ms, 0, 30*ms))
	if got := f.Forecast(); got.Plies != 4 || got.Ply != 10*ms || got.About != 4*40*ms || got.Full != 4*2*time.Second {
		t.Errorf("with two games: %+v", got)
	}
	f.event.Clock = tournament.Clock{Base: time.Minute}
	if got := f.Forecast(); got.Full != 4*time.Minute || got.Most != 4*time.Minute {
		t.Errorf("with a total time: %+v", got)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1 s", 50 * time.Second: "50 s", 40 * time.Minute: "40 min", 2 * time.Hour: "2 h", 130 * time.Minute: "2 h 10 min", 72 * time.Hour: "3 days",
	} {
		if got := Span(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
