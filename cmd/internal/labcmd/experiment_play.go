package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/lab/experiment"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// experimentResumes ends the description of the experiments.
const experimentResumes = "After any interruption\n" +
	"the same command resumes; finished events are only reported. The time left is the mean time\n" +
	"of the games that have ended since the start, multiplied by the number of games left."

// experimentFlags choose the events of an experiment and the form of its report. The number of games at once has a flag
// of its own.
func experimentFlags(matches int) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "db", Value: "experiment.db", Usage: "the database"},
		&cli.IntFlag{Name: "matches", Value: matches, Usage: "matches of each pairing, two games each; a recorded event gets more, never fewer"},
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "the board, if not the paper's"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices of each event, below 2^53"},
		&cli.BoolFlag{Name: "report-only", Usage: "play nothing; report the recorded games, even while more are being played"},
		cmdline.QuietFlag(),
	}, append(documentFlags("Markdown, JSON, SVG, PNG and possibly CSV"), cmdline.OutputFlags()...)...)
}

// serverFlags name a running arena that plays the experiment. If the arena has a farm, the farm's workers play.
func serverFlags() []cli.Flag {
	return []cli.Flag{
		cmdline.ServerFlag("", "the running arena on this machine that plays the events, and records them in its database (default: the command opens one of its own on --db)"),
		hosting.OperatorFlag(),
	}
}

// trial is an experiment with the settings of a command line.
type trial struct {
	settings     experiment.Config
	programs     roster.Commands // the bots that are commands
	startTimeout time.Duration   // of a program
	db           string
	server       *server.Client // of the running arena that plays, or nil
	reportOnly   bool
	folder       reportFolder // for the report
	quiet        bool
	messages     io.Writer // for progress
	out          cmdline.Output
}

// readTrial reads experimentFlags, serverFlags, and the flags that only some experiments have, such as --playouts.
func readTrial(c *cli.Context) (trial, error) {
	t := trial{
		settings: experiment.Config{
			Matches:     c.Int("matches"),
			Playouts:    c.Int("playouts"),
			Time:        c.Int("time"),
			Complete:    c.Bool("complete"),
			Search:      c.Bool("search"),
			Seed:        c.Uint64("seed"),
			Concurrency: c.Int("concurrency"),
		},
		db:         c.String("db"),
		reportOnly: c.Bool("report-only"),
		folder:     readReportFolder(c),
		quiet:      c.Bool("quiet"),
		messages:   c.App.ErrWriter,
	}
	var err error
	if c.String("server") != "" {
		t.server = hosting.NewClient(c)
		if t.db, err = arenaDatabase(c, t.server); err != nil {
			return t, err
		}
	}
	if t.out, err = cmdline.ReadOutput(c); err != nil {
		return t, err
	}
	if name := c.String("rules"); name != "" {
		if t.settings.Rules, err = rules.ParseRuleset(name); err != nil {
			return t, cmdline.WrongUsage(err)
		}
	}
	t.settings.Size, err = rules.ParseSize(c.String("size"))
	return t, cmdline.WrongUsage(err)
}

// arenaDatabase returns the path of the database of a running arena. It returns an error if the database is not on this
// machine, or if --db names another database.
func arenaDatabase(c *cli.Context, arena *server.Client) (string, error) {
	status, err := arena.ArenaStatus(c.Context)
	if err != nil {
		return "", err
	}
	theirs, err := os.Stat(status.Database.Path)
	if err != nil {
		return "", fmt.Errorf("the report is read from the arena's database, which has to be on this machine: %w", err)
	}
	if given, err := os.Stat(c.String("db")); c.IsSet("db") && (err != nil || !os.SameFile(given, theirs)) {
		return "", fmt.Errorf("--db %s is not the arena's own database, %s: give that, or leave out --db", c.String("db"), status.Database.Path)
	}
	return status.Database.Path, nil
}

// readPlayed reads the recorded games of the events.
func (t trial) readPlayed(ctx context.Context, events []tournament.Event) ([]experiment.Played, error) {
	if _, err := os.Stat(t.db); t.reportOnly && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("database %s does not exist: name another one with --db, or leave out --report-only to play the games", t.db)
	}
	store, err := results.OpenReader(ctx, t.db)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	played, err := experiment.Read(ctx, store, events)
	for i := range played {
		t.nameCommands(&played[i].Event)
	}
	return played, withAdvice(err)
}

// nameCommands adds the commands of programs to an event for a report, since databases do not record commands.
func (t trial) nameCommands(e *tournament.Event) {
	e.Entries = slices.Clone(e.Entries)
	for _, bot := range t.programs.Bots() {
		name, command, _ := strings.Cut(bot, "=")
		for i := range e.Entries {
			if entry := &e.Entries[i]; entry.Name == name {
				entry.Spec = command
			}
		}
	}
}

// eachGame calls add with every finished game of an event, with the game's search reports. It reads game by game,
// because all games together are large. It returns the recorded event, or event itself if it is not recorded.
func (t trial) eachGame(ctx context.Context, event tournament.Event, add func(tournament.Game)) (tournament.Event, error) {
	store, err := results.OpenReader(ctx, t.db)
	if err != nil {
		return event, err
	}
	defer store.Close()
	recorded, err := experiment.Find(ctx, store, event)
	if err != nil || recorded.ID == 0 { // there is no record
		return recorded, withAdvice(err)
	}
	filter := results.Filter{Event: recorded.ID, Finished: true, Searches: true}
	return recorded, store.Games(ctx, filter, func(g results.Stored) error {
		add(g.Game)
		return nil
	})
}

// report prints the report and writes it into the folder of --out.
func (t trial) report(name string, d document, csv func(io.Writer) error) error {
	if err := t.folder.Write(name, d); err != nil {
		return err
	}
	return t.out.Print(cmdline.Result{Value: d, CSV: csv, Markdown: d.WriteMarkdown, Text: fitted(t.out.Width, d)})
}

// reportInterrupt reports an interrupt that came between two events. An interrupt during an event is reported by
// hosting.StoppedError. Other errors are returned unchanged.
func (t trial) reportInterrupt(err error) error {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(t.messages, "interrupted with no game in progress; finished games are kept\nresume: %s\n", cmdline.SameCommand())
		return cmdline.ErrSilent
	}
	return err
}

// withAdvice adds advice to a mismatch.
func withAdvice(err error) error {
	if mismatch := new(experiment.MismatchError); errors.As(err, &mismatch) {
		return fmt.Errorf("%w (give the flags of its first run again, or choose another --db)", err)
	}
	return err
}

// trialPlayer plays the events of an experiment on a local arena or a running one.
type trialPlayer struct {
	trial  trial
	store  recordedGames
	client *server.Client
	local  *hosting.Arena      // nil if the arena runs elsewhere
	played []experiment.Played // the recorded games of each event at the start
}

// recordedGames are the games in a database, which may also be open for an arena.
type recordedGames interface {
	experiment.Store
	io.Closer
}

// newTrialPlayer opens the database, reads the recorded games of all events before the first event is played, and
// serves an arena, unless a running one plays.
func newTrialPlayer(ctx context.Context, t trial, events []tournament.Event) (p *trialPlayer, err error) {
	var own *results.Store // of an arena in this process
	var store recordedGames
	if t.server == nil {
		own, err = results.Open(ctx, t.db)
		store = own
	} else {
		store, err = results.OpenReader(ctx, t.db)
	}
	if errors.Is(err, results.ErrInUse) {
		return nil, fmt.Errorf("%w; --report-only reports the games recorded so far", err)
	}
	if err != nil {
		return nil, err
	}
	p = &trialPlayer{trial: t, store: store, client: t.server}
	if p.played, err = experiment.Read(ctx, store, events); err != nil {
		return nil, errors.Join(withAdvice(err), store.Close())
	}
	if p.client != nil {
		return p, nil
	}
	if p.local, err = hosting.ServeLocal(ctx, own, hosting.Terms{Memory: cmdline.MachineMemory(), Programs: t.programs, StartTimeout: t.startTimeout}); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	p.client = p.local.Client
	return p, nil
}

// close stops a local arena and closes the database.
func (p *trialPlayer) close() error {
	if p.local == nil {
		return p.store.Close()
	}
	return errors.Join(p.local.Close(), p.store.Close())
}

// withPlayer lets work play events, and then closes the player's arena and database. It returns the errors of work and
// of closing.
func (t trial) withPlayer(ctx context.Context, events []tournament.Event, work func(*trialPlayer) error) (err error) {
	p, err := newTrialPlayer(ctx, t, events)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	return work(p)
}

// play plays the remaining games of the events, one event after the other. With --report-only it does nothing.
func (t trial) play(ctx context.Context, events []tournament.Event) error {
	if t.reportOnly {
		return nil
	}
	return t.withPlayer(ctx, events, func(p *trialPlayer) error { return p.playAll(ctx, events) })
}

// playAll plays the remaining games of the events.
func (p *trialPlayer) playAll(ctx context.Context, events []tournament.Event) error {
	var stages []stage
	later := 0 // the games left of all events after the one that is played
	for i, wanted := range events {
		s := newStage(wanted, p.played[i])
		stages = append(stages, s)
		later += s.left
	}
	for _, s := range stages {
		later -= s.left
		if s.left == 0 {
			continue
		}
		if err := p.playStage(ctx, s, func(p server.Progress) string { return timeInAll(p, later) }); err != nil {
			return err
		}
	}
	return nil
}

// minBatch is the smallest number of matches between two checks of the test: with fewer, cores would often have no
// game.
const minBatch = 4

// playUntilDecided plays each event, one after the other, until its sequential test ends. With --report-only it does
// nothing.
func (t trial) playUntilDecided(ctx context.Context, events []tournament.Event) error {
	if t.reportOnly {
		return nil
	}
	return t.withPlayer(ctx, events, func(p *trialPlayer) error {
		for i, e := range events {
			if err := p.playBatches(ctx, e, p.played[i], p.played[i+1:]); err != nil {
				return err
			}
		}
		return nil
	})
}

// playBatches plays an event batch by batch until its test ends. waiting are the events after it.
func (p *trialPlayer) playBatches(ctx context.Context, e tournament.Event, played experiment.Played, waiting []experiment.Played) error {
	most, batch := e.Matches, max(minBatch, e.Concurrency)
	later := 0
	for _, w := range waiting {
		later += w.GamesLeft(most)
	}
	for {
		if e.Matches = played.Next(most, batch); e.Matches == 0 {
			return nil
		}
		after := later + 2*max(0, most-e.Matches)
		err := p.playStage(ctx, stage{wanted: e, recorded: played.Event}, func(p server.Progress) string { return timeAtMost(p, after) })
		if err != nil {
			return err
		}
		now, err := experiment.Read(context.WithoutCancel(ctx), p.store, []tournament.Event{e})
		if err != nil {
			return err
		}
		played = now[0]
		if !p.trial.quiet {
			fmt.Fprintln(p.trial.messages, played.Summary())
		}
	}
}

// stage is an event of an experiment that is to be played to its end.
type stage struct {
	wanted   tournament.Event
	recorded tournament.Event // its ID is 0 if it is not recorded
	left     int              // the number of games left
}

func newStage(wanted tournament.Event, played experiment.Played) stage {
	wanted.Matches = max(wanted.Matches, played.Event.Matches)
	return stage{wanted, played.Event, 2*format.New(wanted).Total().Matches - len(played.Games)}
}

// playStage plays one event to its end. Each line of progress ends with the text of timeLeft.
func (p *trialPlayer) playStage(ctx context.Context, s stage, timeLeft func(server.Progress) string) error {
	if err := ctx.Err(); err != nil {
		return err // the interrupt came between two events
	}
	interrupted := ctx
	ctx = context.WithoutCancel(ctx)
	id, err := p.start(ctx, s)
	if err != nil {
		return err
	}
	if p.local == nil { // a local arena stops the event by itself
		defer context.AfterFunc(interrupted, func() { _ = p.client.Stop(ctx, id) })()
	}
	show := hosting.NewProgressDisplay(p.trial.messages, p.trial.quiet)
	if !p.trial.quiet {
		fmt.Fprintf(p.trial.messages, "%s:\n", s.wanted.Name)
	}
	last, err := p.client.Follow(ctx, id, func(now server.Progress) { show.Show(now, hosting.ProgressLine(now)+timeLeft(now)) })
	show.End()
	return hosting.StoppedError(p.trial.messages, id, last, err, cmdline.SameCommand())
}

// start starts or resumes the event of a stage and returns its number.
func (p *trialPlayer) start(ctx context.Context, s stage) (int64, error) {
	id := s.recorded.ID
	if id == 0 {
		return p.client.Start(ctx, s.wanted)
	}
	if s.wanted.Matches > s.recorded.Matches {
		if err := p.client.Extend(ctx, id, s.wanted.Matches); err != nil {
			return 0, err
		}
	}
	return id, p.client.Resume(ctx, id)
}

// timeInAll returns a text with the time for the rest of this event and the later games, if each later game takes as
// long as a game of this event. It returns "" if there are no later games, or if the time is not known.
func timeInAll(p server.Progress, later int) string {
	games := p.Total - p.Done
	if later == 0 || p.Left == 0 || games == 0 {
		return ""
	}
	left := time.Duration(p.Left)
	return ", " + cmdline.Clock(left+left/time.Duration(games)*time.Duration(later)) + " in all"
}

// timeAtMost is timeInAll for events with a test: the text is about the case that no test ends before its last match.
func timeAtMost(p server.Progress, later int) string {
	if text := timeInAll(p, later); text != "" {
		return text + " at most"
	}
	return ""
}
