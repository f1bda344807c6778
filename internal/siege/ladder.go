package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"versus2048/internal/testkit"
)

// ladder plays a ladder of bots that leave, fail, are killed, come back and join late, through two restarts of the
// arena, a restored backup, and an upgrade from an older version. The ladder is open if the arena's version has open
// ladders, and resumes by itself if that version resumes events.
type ladder struct {
	arena, before  string        // the programs; "" to build them
	from           string        // the commit of the older version
	time, interval time.Duration // how long to play, and between two looks at the arena's use of resources
}

// ladderReport is the result of a ladder. Failures lists all that went wrong.
type ladderReport struct {
	Seconds  float64        `json:"seconds"`
	Open     bool           `json:"open"`              // whether bots joined by themselves
	Resumes  bool           `json:"resumes_by_itself"` // after a restart
	Rating   string         `json:"rating"`            // the command for ratings, which are compared before and after a backup
	Games    int            `json:"games"`             // finished
	Older    int            `json:"games_of_the_older_version"`
	Told     int            `json:"games_whose_end_a_bot_was_told"`
	Faults   map[string]int `json:"games_lost_by_a_fault"` // by bot
	Breaks   []ladderBreak  `json:"breaks"`
	Last     usageDrift     `json:"use_since_the_last_restart"`
	Left     int            `json:"goroutines_left"` // after all bots have left
	Failures []string       `json:"failures"`
}

// ladderBreak is a time without an arena.
type ladderBreak struct {
	How   string `json:"how"`
	Games int    `json:"games_before"`
	// Seconds is the time until a game of the ladder has ended: from the arena's start, or after the upgrade from the
	// start of the new ladder.
	Seconds float64 `json:"seconds_to_next_game"`
}

// usageDrift compares the arena's mean use of resources in the first and the last quarter of some samples.
type usageDrift struct {
	Bytes       Drift `json:"resident_bytes"`
	Descriptors Drift `json:"descriptors"`
	Threads     Drift `json:"threads"`
}

// ladderRun is a ladder being played.
type ladderRun struct {
	ladder
	*testArena
	bots    *botProcesses
	report  ladderReport
	event   int64 // the ladder's number
	seen    ledger
	samples []usage // since the last restart
}

// ladderStep is something that happens during a ladder, such as a restart of the arena.
type ladderStep struct {
	at   float64 // when, as a part of the ladder's time, 0 to 1
	what string
	do   func() error
}

// run plays the ladder. It returns an error if it cannot go on.
func (l ladder) run(ctx context.Context) (report ladderReport, err error) {
	f := &testArena{ctx: ctx, program: l.arena}
	if f.folder, err = os.MkdirTemp("", "siege-"); err != nil {
		return report, err
	}
	if f.port, err = freePort(); err != nil {
		return report, err
	}
	if f.scraper, err = testkit.FreeAddress(); err != nil {
		return report, err
	}
	f.server, f.url = "http://127.0.0.1:"+f.port, "ws://127.0.0.1:"+f.port+"/bot"
	r := &ladderRun{ladder: l, testArena: f, bots: &botProcesses{f, map[string]*exec.Cmd{}}, report: ladderReport{Seconds: l.time.Seconds(), Failures: []string{}}}
	defer func() {
		f.failed = f.failed || err != nil || len(report.Failures) > 0
		err = errors.Join(err, r.bots.leaveAll(), f.close())
		if f.failed {
			fmt.Fprintln(os.Stderr, "the logs and the database are in", f.folder)
		}
	}()
	if err := r.build(); err != nil {
		return r.report, err
	}
	if err := r.play(); err != nil {
		return r.report, err
	}
	err = r.finish()
	return r.report, err
}

// steps returns the steps of the run, in order. The older version plays until the second step.
func (r *ladderRun) steps() []ladderStep {
	steps := []ladderStep{
		{0, "the older version begins a ladder", r.begin},
		{0.1, "the upgrade", r.upgrade},
		{0.35, "a restart, with a restored backup", r.restart},
		{0.5, "a bot joins late", func() error { return r.enter(lateName, "1") }},
		{0.55, "a backup while games are played", r.backUp},
		{0.65, "the arena is killed", r.kill},
		{0.8, "the moody bot comes back as another version", func() error {
			return errors.Join(r.bots.leave(moodyName, syscall.SIGTERM), r.enter(moodyName, "2"))
		}},
	}
	for at := 0.2; at < 0.95; at += 0.12 {
		steps = append(steps,
			ladderStep{at, "a bot leaves", func() error { return r.bots.leave(leaverName, syscall.SIGTERM) }},
			ladderStep{at + 0.05, "it comes back", func() error { return r.enter(leaverName, "1") }},
			ladderStep{at + 0.03, "a bot is killed and started again", func() error {
				return errors.Join(r.bots.leave(crasherName, syscall.SIGKILL), r.enter(crasherName, "1"))
			}})
	}
	slices.SortStableFunc(steps, func(a, b ladderStep) int { return cmp.Compare(a.at, b.at) })
	return steps
}

// play does all steps, and looks at the arena in between.
func (r *ladderRun) play() error {
	began := time.Now()
	steps := append(r.steps(), ladderStep{1, "the end", func() error { return nil }})
	for _, s := range steps {
		due := began.Add(time.Duration(s.at * float64(r.time)))
		for time.Now().Before(due) && r.ctx.Err() == nil {
			wait(r.ctx, min(r.interval, time.Until(due)))
			if u, err := usageOf(r.testArena.arena.Process.Pid); err == nil {
				r.samples = append(r.samples, u)
			}
		}
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
		fmt.Fprintf(os.Stderr, "%5.0f s: %s\n", time.Since(began).Seconds(), s.what)
	}
	return nil
}

// begin starts a ladder on the older version, which makes the database.
func (r *ladderRun) begin() error {
	if err := r.serve(r.before, "--grace", ladderGrace); err != nil {
		return err
	}
	names := append(steadyBots(), leaverName)
	for _, name := range names {
		if err := r.bots.enter(name, "1"); err != nil {
			return err
		}
	}
	if err := r.await(func() bool { return r.countConnected() == len(names) }); err != nil {
		return err
	}
	return r.start(names, "")
}

// ladderGrace is how long the arena waits for a disconnected bot.
const ladderGrace = "2s"

// start starts a ladder: one with named bots, or an open one.
func (r *ladderRun) start(names []string, open string) error {
	args := []string{
		r.program, "event", "run", "--server", r.server, "--quiet", "--name", "ladder " + open, "--format", "ladder", "--size", "3x3",
		"--concurrency", "4", "--time-per-move", "2s", "--strikes", "40",
	}
	if open == "" {
		args = append(args, "--matches", "1000000")
	} else {
		args = append(args, "--open", open) // an open ladder has no end
	}
	for _, name := range names {
		args = append(args, "--bot", name)
	}
	before := r.seen.newest
	var err error
	if r.testArena.event, err = r.testArena.start("event.log", args); err != nil {
		return err
	}
	return r.await(func() bool {
		l, err := r.readLedger(r.db())
		r.event = l.newest
		return err == nil && l.newest > before && l.gamesOf(l.newest) > 0
	})
}

// upgrade ends the older version and lets the new one open the database. Then a new ladder begins.
func (r *ladderRun) upgrade() error {
	if err := r.halt("an upgrade from "+r.from, syscall.SIGTERM); err != nil {
		return err
	}
	r.report.Older = len(r.seen.games)
	r.program = r.ladder.arena
	if err := r.serve(r.program, "--grace", ladderGrace, "--metrics-addr", r.scraper); err != nil {
		return err
	}
	for _, name := range []string{crasherName, moodyName} {
		if err := r.bots.enter(name, "1"); err != nil {
			return err
		}
	}
	names := slices.Concat(steadyBots(), []string{leaverName, crasherName, moodyName})
	if err := r.await(func() bool { return r.countConnected() == len(names) }); err != nil {
		return err
	}
	began := time.Now()
	var err error
	if r.report.Open {
		err = r.start(nil, "all")
	} else {
		err = r.start(names, "")
	}
	r.report.Breaks[len(r.report.Breaks)-1].Seconds = time.Since(began).Seconds()
	return err
}

// enter starts a bot. If bots cannot join the ladder by themselves, enter lets the bot join, except the moody one.
func (r *ladderRun) enter(name, version string) error {
	if err := r.bots.enter(name, version); err != nil || r.report.Open || name == moodyName {
		return err
	}
	_ = r.await(func() bool {
		text, err := r.ask("bots")
		return err == nil && bytes.Contains(text, []byte(strconv.Quote(name)))
	})
	_, _ = r.command("event", "join", "--server", r.server, strconv.FormatInt(r.event, 10), name) // an error is no failure: the bot may still be in the ladder
	return nil
}

// halt ends the arena, and reads the games that it recorded.
func (r *ladderRun) halt(how string, signal syscall.Signal) error {
	if err := r.testArena.arena.Process.Signal(signal); err != nil {
		return err
	}
	if err := r.testArena.arena.Wait(); err != nil && signal != syscall.SIGKILL {
		r.fail("the arena ended with %v", err)
	}
	if r.testArena.event != nil {
		_ = r.testArena.event.Process.Kill() // the command that followed the event
		_ = r.testArena.event.Wait()
		r.testArena.event = nil
	}
	l, err := r.readLedger(r.db())
	if err != nil {
		return err
	}
	r.compare(l)
	r.samples = nil
	r.report.Breaks = append(r.report.Breaks, ladderBreak{How: how, Games: l.gamesOf(r.event)})
	return nil
}

// compare reports a failure if games that were on record are lost or changed now. It keeps now for the next comparison.
func (r *ladderRun) compare(now ledger) {
	if lost := r.seen.lost(now); len(lost) > 0 {
		r.fail("%d games: %s", len(lost), lost[0])
	}
	r.seen = now
}

func (r *ladderRun) fail(format string, args ...any) {
	r.report.Failures = append(r.report.Failures, fmt.Sprintf(format, args...))
	fmt.Fprintln(os.Stderr, "FAILED:", r.report.Failures[len(r.report.Failures)-1])
}

// resume starts the arena again, and waits until the ladder goes on.
func (r *ladderRun) resume() error {
	began := time.Now()
	if err := r.serve(r.program, "--grace", ladderGrace, "--metrics-addr", r.scraper); err != nil {
		return err
	}
	if !r.report.Resumes {
		if err := r.resumeByHand(); err != nil {
			return err
		}
	}
	before := r.seen.gamesOf(r.event)
	err := r.await(func() bool {
		l, err := r.readLedger(r.db())
		return err == nil && l.gamesOf(r.event) > before
	})
	r.report.Breaks[len(r.report.Breaks)-1].Seconds = time.Since(began).Seconds()
	return err
}

// resumeByHand resumes the ladder as an operator does. It first starts the bot that leaves, if that bot is away.
func (r *ladderRun) resumeByHand() (err error) {
	if r.bots.running[leaverName] == nil {
		if err := r.bots.enter(leaverName, "1"); err != nil {
			return err
		}
	}
	r.testArena.event, err = r.testArena.start("event.log", []string{
		r.program, "event", "resume", "--server", r.server, "--quiet", strconv.FormatInt(r.event, 10),
	})
	return err
}

// kill ends the arena by kill -9, and starts it again.
func (r *ladderRun) kill() error {
	if err := r.halt("kill -9", syscall.SIGKILL); err != nil {
		return err
	}
	return r.resume()
}

// restart ends the arena, and starts it again on a restored backup of its database.
func (r *ladderRun) restart() error {
	if err := r.halt("a restart with a restored backup", syscall.SIGTERM); err != nil {
		return err
	}
	if err := r.saveAndRestore(true); err != nil {
		return err
	}
	return r.resume()
}

// backUp makes a backup while games are played, and restores it beside the database.
func (r *ladderRun) backUp() error { return r.saveAndRestore(false) }

// saveAndRestore makes a backup of the database and restores it, in the database's place or elsewhere. The backup must
// have all games of the database. A restore in place needs a stopped arena, and must not change the ratings.
func (r *ladderRun) saveAndRestore(inPlace bool) error {
	before, err := r.readLedger(r.db())
	if err != nil {
		return err
	}
	ratings, err := r.ratings(r.db())
	if err != nil {
		return err
	}
	saved, restored := r.file("backup.db.zst"), r.file("restored.db")
	if _, err := r.command("backup", saved, "--db", r.db(), "--force", "--keep-free", "0B", "--quiet"); err != nil {
		return err
	}
	if inPlace {
		restored = r.db()
	}
	if _, err := r.command("restore", saved, "--db", restored, "--force", "--verify", "full", "--quiet"); err != nil {
		return err
	}
	after, err := r.readLedger(restored)
	if err != nil {
		return err
	}
	if lost := before.lost(after); len(lost) > 0 {
		r.fail("the backup: %d games: %s", len(lost), lost[0])
	}
	if !inPlace {
		return nil
	}
	again, err := r.ratings(restored)
	if err == nil && !bytes.Equal(ratings, again) {
		r.fail("the ratings of the restored backup differ")
	}
	return err
}

// ratings returns the output of the command for ratings.
func (r *ladderRun) ratings(db string) ([]byte, error) {
	return r.command(append(strings.Fields(r.report.Rating), "--db", db, "--json")...)
}

// finish ends the ladder, and checks the use of resources, the goroutines that are left, and the database.
func (r *ladderRun) finish() error {
	r.report.Last = usageDrift{
		Bytes:       drift(r.samples, func(u usage) float64 { return u.bytes }),
		Descriptors: drift(r.samples, func(u usage) float64 { return u.descriptors }),
		Threads:     drift(r.samples, func(u usage) float64 { return u.threads }),
	}
	if d := r.report.Last.Descriptors; d.Last > d.First+16 {
		r.fail("descriptors grow: %.0f, then %.0f", d.First, d.Last)
	}
	if d := r.report.Last.Bytes; d.Last > 2*d.First+64<<20 {
		r.fail("memory grows: %.0f MiB, then %.0f", d.First/(1<<20), d.Last/(1<<20))
	}
	if err := r.stopLadder(); err != nil {
		return err
	}
	now, err := r.readLedger(r.db())
	if err != nil {
		return err
	}
	r.compare(now)
	r.report.Games, r.report.Faults = len(now.games), now.faults
	for _, name := range steadyBots() {
		if now.faults[name] > 0 {
			r.fail("%s lost %d games by a fault", name, now.faults[name])
		}
	}
	told, err := r.toldGames()
	if err != nil {
		return err
	}
	r.report.Told = len(told)
	for _, game := range told {
		if !now.ids[game] {
			r.fail("a bot was told of the end of game %s, which is not on record", game)
		}
	}
	if _, err := r.command("verify", "--db", r.db()); err != nil {
		r.fail("verify: %v", err)
	}
	return r.saveAndRestore(true)
}

// stopLadder stops the event and the bots, makes the arena print its goroutines and ends the arena.
func (r *ladderRun) stopLadder() error {
	if _, err := r.command("event", "stop", "--server", r.server, strconv.FormatInt(r.event, 10)); err != nil {
		return err
	}
	if err := r.bots.leaveAll(); err != nil {
		return err
	}
	var err error
	if r.report.Left, err = r.goroutines(); err == nil && r.report.Left > 40 {
		r.fail("%d goroutines are left", r.report.Left)
	}
	return err
}

// build builds the programs, unless they are given, and finds out which abilities the new one has.
func (r *ladderRun) build() error {
	if err := r.testArena.build(); err != nil {
		return err
	}
	r.ladder.arena = r.program
	if r.before == "" {
		r.before = r.file("arena-before")
		script := `mkdir "$1" && git archive "$2" | tar -x -C "$1" && go build -C "$1" -o "$3" ./cmd/arena`
		if text, err := exec.CommandContext(r.ctx, "sh", "-c", script, "sh", r.file("source"), r.from, r.before).CombinedOutput(); err != nil {
			return fmt.Errorf("building the arena of %s: %w: %s", r.from, err, text)
		}
	}
	can := func(flag string, command ...string) bool {
		text, err := r.command(append(command, "--help")...)
		return err == nil && bytes.Contains(text, []byte(flag))
	}
	r.report.Open, r.report.Resumes = can("--open ", "event", "run"), can("--no-resume", "serve")
	r.report.Rating = "stats"
	if can("--conditions", "rating") {
		r.report.Rating = "rating --all"
	}
	r.program = r.before
	return nil
}
