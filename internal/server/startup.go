package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"versus2048/internal/server/roster"
	"versus2048/players/clock"
	"versus2048/protocol"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

// launchAll starts the programs of the host, and the processes of the bots that have a spec and a slot.
func (l *lineup) launchAll() error {
	for _, entry := range l.entries {
		if err := l.start(entry); err != nil {
			return err
		}
		l.watch(entry.Name)
	}
	return nil
}

func (l *lineup) run(entry tournament.Entry, command []string) error {
	bot, err := roster.StartProgram(l.playing, entry.Name, l.event, roster.ProgramConfig{
		Command: command, StartTimeout: l.entrants.startTimeout, Log: l.entrants.log.With("event", l.event.ID, "bot", entry.Name),
	})
	if err != nil {
		return fmt.Errorf("bot %q: %w", entry.Name, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.programs[entry.Name] = bot
	return nil
}

// start starts a program of the host, or the process of a bot that has a spec and a slot.
func (l *lineup) start(entry tournament.Entry) error {
	if command := l.entrants.programs[entry.Name]; command != nil && entry.Spec == "" {
		return l.run(entry, command)
	}
	s := l.slot(entry.Name)
	if s == nil || entry.Spec == "" {
		return nil
	}
	process, err := roster.StartOwn(l.entrants.launch(roster.Own{
		Spec:  entry.Spec,
		Name:  entry.Name,
		Token: s.Token,
		URL:   l.entrants.botURL,
		Slots: min(l.event.Concurrency, protocol.MaxSlots),
	}))
	if err != nil {
		return fmt.Errorf("bot %q: %w", entry.Name, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.processes[entry.Name] = process
	return nil
}

// process returns the process of a bot that the arena has started, nil for other bots.
func (l *lineup) process(name string) *roster.OwnProcess {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.processes[name]
}

// watch makes the event fail if a started bot's process exits while the bot takes part. That is a failure of the arena,
// not a fault of the bot.
func (l *lineup) watch(name string) {
	p := l.process(name)
	if p == nil {
		return
	}
	go func() {
		select {
		case <-p.Exited:
			if l.process(name) == p {
				l.fail(exited(name, p))
			}
		case <-l.playing.Done():
		}
	}()
}

// exited returns an error with the name of a bot and the reason why its process ended.
func exited(name string, p *roster.OwnProcess) error {
	return fmt.Errorf("bot %q: its process ended: %w", name, p.Failure())
}

// waitForJoiner waits until a bot that joins is connected. If the bot's process exits first, the event does not fail:
// the bot does not take part yet. If the event ends first, waitForJoiner returns errOver.
func (l *lineup) waitForJoiner(ctx context.Context, entry tournament.Entry) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(l.playing, func() { end(errOver) })()
	if p := l.process(entry.Name); p != nil {
		go func() {
			select {
			case <-p.Exited:
				end(exited(entry.Name, p))
			case <-ctx.Done():
			}
		}()
	}
	err := l.waitForBot(ctx, entry, l.newPatience())
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("not connected: bot %w", err)
	}
	return nil
}

// startupTimeout is the longest time that the arena waits until a bot that it started connects. Meanwhile no clock of a
// game runs.
const startupTimeout = time.Minute

// waitForBots waits until all bots are connected: at most startupTimeout for bots that the arena starts, and for other
// bots at most the grace period, or ten seconds if that is longer. Then it checks that all bots play the event's games.
// In an open ladder waitForBots leaves out the bots that connect by themselves.
func (l *lineup) waitForBots(ctx context.Context) error {
	var absent []string
	var unsuited error
	patience := l.newPatience()
	for _, entry := range l.entries {
		if l.open() && entry.Spec == "" {
			continue // the bot plays once it has connected
		}
		err := l.waitForBot(ctx, entry, patience)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			absent = append(absent, err.Error())
		}
		unsuited = cmp.Or(unsuited, l.suits(entry))
	}
	if len(absent) > 0 {
		slices.Sort(absent)
		return fmt.Errorf("not connected: %s", strings.Join(absent, ", "))
	}
	return unsuited
}

// startPatience counts down the times that the arena waits for bots to connect.
type startPatience struct {
	connected *clock.Countdown // of bots that connect by themselves
	started   *clock.Countdown // of bots that the arena starts
}

func (l *lineup) newPatience() startPatience {
	p := startPatience{
		connected: clock.NewCountdown(l.entrants.stalls, max(l.event.Grace, 10*time.Second)),
		started:   clock.NewCountdown(l.entrants.stalls, startupTimeout),
	}
	p.connected.Start()
	p.started.Start()
	return p
}

// waitForBot waits until a bot is connected. The error names the bot. If the arena has started the bot's process, the
// error also has the text that the process wrote to standard error.
func (l *lineup) waitForBot(ctx context.Context, entry tournament.Entry, patience startPatience) error {
	s, p := l.slot(entry.Name), l.process(entry.Name)
	if s == nil {
		return nil
	}
	over := patience.connected.Over()
	if p != nil {
		over = patience.started.Over()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-over:
			cancel()
		case <-ctx.Done():
		}
	}()
	switch {
	case s.Session.Wait(ctx) == nil:
		return nil
	case p == nil && l.event.Settings.IsProgram(entry.Name):
		return fmt.Errorf("%s, %s", entry.Name, withoutCommand(l.event, []string{entry.Name}))
	case p == nil:
		return errors.New(entry.Name)
	}
	return fmt.Errorf("%s (its process has been running for %v and wrote %q)", entry.Name, startupTimeout, p.Written())
}

// withoutCommand returns a text that asks for the commands of the absent bots that were programs: after a restart the
// arena does not know the commands. It returns "" if no absent bot was a program.
func withoutCommand(e tournament.Event, absent []string) string {
	var again []string
	for _, name := range absent {
		if e.Settings.IsProgram(name) {
			again = append(again, recipe.ProgramFlag(name))
		}
	}
	if again == nil {
		return ""
	}
	return "a program of the arena's host without a recorded command: start the arena with " + strings.Join(again, " ")
}
