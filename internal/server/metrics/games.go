package metrics

import (
	victoria "github.com/VictoriaMetrics/metrics"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// games counts games and plies. A ply costs little: one atomic addition, and its part of the cost of a batch.
type games struct {
	begun, plies *victoria.Counter
	ended        family                           // by ending
	faults       family                           // by kind and role
	think        [2]*victoria.PrometheusHistogram // by side
	lag          *victoria.PrometheusHistogram
	away         *victoria.FloatCounter
}

// thinkBuckets are bounds of think times in seconds: the quickest bots in the arena's process think for some
// microseconds, and a person thinks for minutes.
var thinkBuckets = []float64{.0001, .0003, .001, .003, .01, .03, .1, .3, 1, 3, 10, 30, 100}

// lagBuckets are bounds of network delays in seconds.
var lagBuckets = []float64{.0003, .001, .003, .01, .03, .1, .3, 1, 3}

func newGames(m *Metrics) games {
	g := games{
		begun:  m.family("games_begun_total", "Games that began, or went on after an interruption.").counter(),
		plies:  m.family("plies_total", "Plies played.").counter(),
		ended:  m.family("games_ended_total", "Finished games, by their ending.", "ending"),
		faults: m.family("faults_total", "Games lost by a fault, by its kind and by the role of the bot.", "fault", "role"),
		lag:    m.family("lag_seconds", "The part of the wait for a ply that the network took. Bots in the arena's process have none.").histogram(lagBuckets),
		away:   m.family("away_seconds_total", "The total time that clocks stood still because the bot to move was disconnected.").seconds(),
	}
	think := m.family("think_seconds", "The time of each ply as the clock charges it. Chance is not counted.", "role")
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		g.think[side] = think.histogram(thinkBuckets, side.String())
		for _, ending := range record.Endings() {
			if ending.Fault() {
				g.faults.counter(string(ending), side.String())
			}
		}
	}
	for _, ending := range record.Endings() {
		if ending != record.Unfinished {
			g.ended.counter(string(ending))
		}
	}
	return g
}

// batch is the number of plies of a game that are timed together. If each ply were timed by itself, the memory of the
// histograms would have to come into the processor's cache each time.
const batch = 16

// played counts the latest ply of a game, and after each batch the times of its plies.
func (g *games) played(r *record.Record) {
	g.plies.Inc()
	if n := len(r.Moves); n%batch == 0 {
		g.time(r, n-batch)
	}
}

// time counts the times of a game's plies with an index of at least from. If the game was interrupted, some of these
// plies may be older than the interruption: they were not counted before it.
func (g *games) time(r *record.Record, from int) {
	side := r.Start.SideToMove()
	if from%2 == 1 {
		side = side.Other()
	}
	for ply := from; ply < len(r.Times); ply++ {
		if side == rules.Defender || !r.Start.Rules().Chance() {
			g.think[side].Update(r.Times[ply].Seconds())
		}
		if lag := r.Lags[ply]; lag > 0 {
			g.lag.Update(lag.Seconds())
		}
		side = side.Other()
	}
	for _, p := range r.Pauses {
		if p.Ply >= from {
			g.away.Add(p.Away.Seconds())
		}
	}
}

// end counts a finished game.
func (g *games) end(r *record.Record) {
	g.time(r, len(r.Moves)/batch*batch)
	g.ended.counter(string(r.Ending)).Inc()
	if winner, decided := r.Winner(); decided && r.Ending.Fault() {
		g.faults.counter(string(r.Ending), winner.Other().String()).Inc()
	}
}

// Watch returns a watcher that counts the games and plies that it passes on to next.
func (m *Metrics) Watch(next tournament.Watcher) tournament.Watcher {
	return &watcher{next, &m.games}
}

type watcher struct {
	tournament.Watcher
	games *games
}

func (w *watcher) Begun(g tournament.Game) {
	w.games.begun.Inc()
	w.Watcher.Begun(g)
}

func (w *watcher) Played(g *tournament.Game, ply tournament.Ply) {
	w.games.played(&g.Record)
	w.Watcher.Played(g, ply)
}

func (w *watcher) Ended(g tournament.Game, result tournament.Result, decided *tournament.MatchResult) {
	w.games.end(&g.Record)
	w.Watcher.Ended(g, result, decided)
}
