package hosting

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// ParseEvent reads the text of an event's file into e, and the file's table [evening] into the struct that table points
// to. Its errors name the path.
type ParseEvent func(path string, text []byte, e *tournament.Event, table any) error

// EveningParts are the parts of the command host that other commands have, too.
type EveningParts struct {
	ParseEvent ParseEvent
	// Show shows an event to its end and prints its result. It returns false if the event did not come to its end.
	Show        func(c *cli.Context, client *server.Client, event int64) (ended bool, err error)
	OpenBrowser func(url string)
}

// HostCommand returns the command host.
func HostCommand(parts EveningParts) *cli.Command {
	return &cli.Command{
		Name:  "host",
		Usage: "host a club evening: plan it for the hours that you have, gather the bots in a lobby, play the event",
		Description: "On a terminal the command asks for the name, the format, the bots and the hours, unless\n" +
			"flags or --config set them. It proposes the board, the rounds and the time for a move,\n" +
			"so that all games end within the hours. The same command continues an evening that was\n" +
			"interrupted. It takes the flags of arena serve, too (docs/HOST-AN-EVENING.md).",
		Flags:  slices.Concat(planFlags(), eventFlags(), eveningFlags()),
		Action: cmdline.WithArguments(func(c *cli.Context) error { return newEveningRun(c, parts).run() }),
	}
}

// planFlags are the flags about the evening itself.
func planFlags() []cli.Flag {
	return []cli.Flag{
		cmdline.SettingFlagFor("name", usualName, "the evening's name"),
		cmdline.SettingFlagFor("format", usualFormat, "the format: swiss, round-robin, gauntlet, knockout or double-elimination"),
		&cli.IntFlag{Name: "bots", Value: usualBots, Usage: "the number of expected bots"},
		&cli.Float64Flag{Name: "hours", Value: usualHours, Usage: "the hours that you have; a fifth of them is kept for late bots and breaks"},
		&cli.StringFlag{Name: "config", Usage: "a `FILE` with settings of the event (see: arena event init) and a table [evening] with bots, hours, names and start_when_all; flags override it"},
		&cli.BoolFlag{Name: "yes", Usage: "ask nothing: take the flags, the usual answers and the proposal"},
		&cli.BoolFlag{Name: "start-when-all", Usage: "start by itself once all expected bots are here and have passed their check"},
		&cli.BoolFlag{Name: "no-browser", Usage: "open no browser"},
	}
}

// eventFlags are the flags for settings of the event. Without a flag the command proposes a value, except for the
// rules.
func eventFlags() []cli.Flag {
	flags := []cli.Flag{cmdline.SettingFlag("rules")}
	for _, name := range proposals() {
		flags = append(flags, cmdline.ShowDefault(cmdline.SettingFlag(name), "proposed"))
	}
	return flags
}

// proposals are the settings that are proposed unless the host fixes them.
func proposals() []string {
	return []string{"size", "rounds", "matches", "time-per-move", "max-turns", "concurrency"}
}

// The usual answers.
const (
	usualName   = "Club evening"
	usualFormat = tournament.Swiss
	usualBots   = 6
	usualHours  = 2.0
)

// eveningRun is one run of the command.
type eveningRun struct {
	c     *cli.Context
	parts EveningParts
	plan  eveningPlan
	lines *questions
	shown bool // the arena has opened
}

func newEveningRun(c *cli.Context, parts EveningParts) *eveningRun {
	return &eveningRun{c: c, parts: parts, lines: newQuestions(c)}
}

func (h *eveningRun) db() string { return h.c.String("db") }

// run plans the evening, or takes its plan from the file, and serves it.
func (h *eveningRun) run() (err error) {
	if results.InUse(h.db()) {
		return fmt.Errorf("opening %s: %w; for a second evening on this machine, choose another --db", h.db(), results.ErrInUse)
	}
	var again bool // the evening was planned before
	h.plan, again, err = unfinishedEvening(h.c.Context, h.db(), h.parts.ParseEvent)
	switch {
	case err != nil:
		return err
	case again:
		fmt.Fprintf(h.c.App.Writer, "%s has an evening that is not over, %s: it continues by its plan in %s. Remove this file to plan another evening.\n\n%s\n",
			h.db(), plain.Line(h.plan.event.Name), planPath(h.db()), h.plan.describe(h.plan.forecastText()))
		if wishes := h.wishes(); len(wishes) > 0 {
			fmt.Fprintf(h.c.App.Writer, "The plan decides: %s of this command is ignored.\n\n", strings.Join(wishes, ", "))
		}
	default:
		if yes, err := h.makePlan(); err != nil || !yes {
			return err
		}
	}
	if err := h.choosePort(); err != nil {
		return err
	}
	if err := h.plan.write(planPath(h.db())); err != nil {
		return err
	}
	err = serveEvening(h.c, openEvening{Plan: h.plan.lobby(), Show: h.show})
	if err != nil && !again && !h.shown { // another try has a plan of its own
		err = errors.Join(err, os.Remove(planPath(h.db())))
	}
	return err
}

// wishes returns the flags of the command line that choose the settings of a new evening.
func (h *eveningRun) wishes() (all []string) {
	for _, name := range slices.Concat([]string{"config", "name", "format", "rules", "bots", "hours", "start-when-all"}, proposals()) {
		if h.c.IsSet(name) {
			all = append(all, "--"+name)
		}
	}
	return all
}

// makePlan makes the plan of a new evening. It returns false if the host does not want it.
func (h *eveningRun) makePlan() (bool, error) {
	if !h.c.Bool("yes") && !h.lines.asks {
		return false, cmdline.Usagef("the input is no terminal, so that no question can be asked: give --yes to open the evening")
	}
	if err := h.readWishes(); err != nil {
		return false, err
	}
	e, forecast, err := propose(h.plan.event, h.plan.Bots, h.plan.Hours, h.isFixed)
	if err != nil {
		return false, err
	}
	h.plan.event = e
	if err := h.plan.identify(h.isFixed("seed")); err != nil {
		return false, cmdline.WrongUsage(err)
	}
	if id, _, err := recordedEvening(h.c.Context, h.db(), h.plan.event); err != nil {
		return false, err
	} else if id != 0 {
		return false, cmdline.Usagef("%s has an evening of this name and seed, event %d: leave the seed out of the file of --config", h.db(), id)
	}
	out := h.c.App.Writer
	fmt.Fprintf(out, "\n%s\n", terminal.Wrap(h.plan.describe(forecast.Text()), terminal.WidthOf(out), "          "))
	if h.c.Bool("yes") {
		return true, nil
	}
	opens := false
	err = h.lines.askUntil(h.c.Context, "Open the evening?", "yes", func(answer string) error {
		answer = strings.ToLower(answer)
		if opens = strings.HasPrefix(answer, "y"); !opens && !strings.HasPrefix(answer, "n") {
			return errors.New("want yes or no")
		}
		return nil
	})
	return opens, err
}

// readWishes reads the file of --config and the flags, and asks for the rest.
func (h *eveningRun) readWishes() error {
	p := &h.plan
	if filepath.Clean(planPath(h.db())) == filepath.Clean(h.c.String("config")) {
		return cmdline.Usagef("--config %s: the plan of this evening is written there: give the file another name", h.c.String("config"))
	}
	*p = eveningPlan{}
	err := p.setUsual()
	if file := h.c.String("config"); file != "" {
		*p, err = readPlan(file, h.parts.ParseEvent)
	}
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	for _, name := range slices.Concat([]string{"name", "format", "rules"}, proposals()) {
		if s, _ := tournament.SettingNamed(name); h.c.IsSet(name) || (name == "name" || name == "format") && !p.has(s.FileKey()) {
			if err := cmdline.ReadSetting(h.c, name, &p.event); err != nil {
				return cmdline.WrongUsage(err)
			}
		}
	}
	p.StartWhenAll = p.StartWhenAll || h.c.Bool("start-when-all")
	if h.c.IsSet("bots") || p.Bots == 0 {
		if p.Bots = h.c.Int("bots"); p.Bots >= 0 {
			p.Bots = max(p.Bots, len(p.Names))
		}
	}
	if h.c.IsSet("hours") || p.Hours == 0 {
		p.Hours = h.c.Float64("hours")
	}
	if err := h.askAll(); err != nil {
		return err
	}
	return cmdline.WrongUsage(errors.Join(checkNames(p.Names), p.complete()))
}

// isFixed reports whether the host has chosen a setting of the event.
func (h *eveningRun) isFixed(name string) bool {
	s, ok := tournament.SettingNamed(name)
	return h.c.IsSet(name) || ok && h.plan.has(s.FileKey())
}

// askAll asks for the name, the format, the bots and the hours, as far as neither a flag nor the file has them.
func (h *eveningRun) askAll() error {
	if h.c.Bool("yes") {
		return nil
	}
	for _, q := range []struct {
		key, text string
		value     func() string
		set       func(answer string) error
	}{
		{"name", "Name of the evening", func() string { return h.plan.event.Name }, func(answer string) error {
			h.plan.event.Name = answer
			return nil
		}},
		{"format", "Format (swiss, round-robin, gauntlet, knockout, double-elimination)", func() string { return h.plan.event.Settings.Plan.Kind }, func(answer string) error {
			h.plan.event.Settings.Plan.Kind = answer
			return checkFormat(answer)
		}},
		{"bots", "Bots expected", func() string { return strconv.Itoa(h.plan.Bots) }, func(answer string) (err error) {
			h.plan.Bots, err = strconv.Atoi(answer)
			return wantNumber(err, checkBots(h.plan.Bots))
		}},
		{"hours", "Hours available", func() string { return strconv.FormatFloat(h.plan.Hours, 'g', -1, 64) }, func(answer string) (err error) {
			h.plan.Hours, err = strconv.ParseFloat(strings.ReplaceAll(answer, ",", "."), 64)
			return wantNumber(err, checkHours(h.plan.Hours))
		}},
	} {
		if h.isFixed(q.key) || h.plan.has("evening."+q.key) {
			continue
		}
		if err := h.lines.askUntil(h.c.Context, q.text, q.value(), q.set); err != nil {
			return err
		}
	}
	return nil
}

// wantNumber returns an error that asks for a number if err is not nil. Otherwise it returns other.
func wantNumber(err, other error) error {
	if err != nil {
		return errors.New("want a number")
	}
	return other
}

// choosePort chooses the port of the evening: from --addr, or the port that it had before, or a free one.
func (h *eveningRun) choosePort() error {
	if !h.c.IsSet("addr") && h.plan.Addr != "" && isFree(h.plan.Addr) {
		return h.c.Set("addr", h.plan.Addr)
	}
	address, other, err := freePort(h.c)
	if err != nil {
		return err
	}
	if other {
		fmt.Fprintf(h.c.App.Writer, "The usual port is taken on this machine, perhaps by another evening: this evening is at %s.\n", address)
	}
	h.plan.Addr = address
	return h.c.Set("addr", address)
}

// questions asks a person on a terminal, and receives the lines that the person types.
type questions struct {
	asks  bool // the input and the output are terminals
	out   io.Writer
	typed chan string // closed at the end of the input
}

func newQuestions(c *cli.Context) *questions {
	l := &questions{asks: terminal.Is(c.App.Writer) && terminal.Is(os.Stdin), out: c.App.Writer, typed: make(chan string)}
	if !l.asks {
		return l // nothing comes
	}
	go func() {
		defer close(l.typed)
		for scanner := bufio.NewScanner(c.App.Reader); scanner.Scan(); {
			select {
			case l.typed <- strings.TrimSpace(scanner.Text()):
			case <-c.Context.Done():
				return
			}
		}
	}()
	return l
}

// ask asks a question and returns the answer, or the usual one for an empty line. It returns an error if the input
// ends, and the error of ctx if ctx ends before the answer comes, as with Ctrl-C.
func (l *questions) ask(ctx context.Context, question, usual string) (string, error) {
	fmt.Fprintf(l.out, "%s [%s]: ", question, plain.Line(usual))
	select {
	case answer, ok := <-l.typed:
		if !ok {
			return "", errors.New("the input has ended")
		}
		return cmp.Or(answer, usual), nil
	case <-ctx.Done():
		fmt.Fprintln(l.out) // the question has no line break
		return "", ctx.Err()
	}
}

// askUntil asks a question until set takes the answer.
func (l *questions) askUntil(ctx context.Context, question, usual string, set func(answer string) error) error {
	for {
		answer, err := l.ask(ctx, question, usual)
		if err != nil {
			return err
		}
		wrong := set(answer)
		if wrong == nil {
			return nil
		}
		fmt.Fprintf(l.out, "%v\n", wrong)
	}
}

// show shows the lobby until the event begins, and the event until its end.
func (h *eveningRun) show(ctx context.Context, o openArena) error {
	out := h.c.App.Writer
	h.shown = true
	if err := h.printEntrance(o); err != nil {
		return err
	}
	event, err := h.gather(ctx, o)
	if err != nil || ctx.Err() != nil {
		return err
	}
	if event == 0 {
		return nil
	}
	ended, err := h.parts.Show(h.c, o.Client, event)
	switch {
	case err != nil:
		return err
	case !ended:
		_, err := fmt.Fprintf(out, "\nThe evening is not over, and nothing is lost. This continues it: %s host --db %s\n", cmdline.ThisProgram(), cmdline.Quote(h.db()))
		return err
	}
	if h.c.App.Command("report") != nil {
		fmt.Fprintf(out, "\nA page to keep and to send: %s report %d --db %s\n", cmdline.ThisProgram(), event, cmdline.Quote(h.db()))
	}
	_, err = fmt.Fprintf(out, "\nThe evening is over. Its pages stay open at %s until Ctrl-C.\n", o.Own)
	return err
}

// forecastText returns the forecast of an evening's plan.
func (p *eveningPlan) forecastText() string {
	return report.NewForecaster((&proposal{bots: max(2, p.Bots+len(p.event.Bots))}).withBots(p.event)).Forecast().Text()
}
