package farm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// DefaultName is the name of a farm if its host chooses none.
const DefaultName = "versus2048"

// Name is the name of a farm: several farms can use one NATS. It begins all subjects, and all names of streams and
// buckets, that docs/adr/0027-farm.md lists.
type Name string

var namePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// ParseName reads a farm's name.
func ParseName(text string) (Name, error) {
	if !namePattern.MatchString(text) {
		return "", fmt.Errorf("farm %q: want 1 to 32 letters, digits, - and _", text)
	}
	return Name(text), nil
}

func (n Name) tasks() string      { return string(n) + "-tasks" }             // the stream of tasks
func (n Name) workers() string    { return string(n) + "-workers" }           // the bucket of cards
func (n Name) lane(l lane) string { return string(n) + ".task." + string(l) } // the subject of tasks
func (n Name) files() string      { return string(n) + "-files" }             // the bucket of files
func (n Name) arena() string      { return string(n) + ".hello" }             // for an arena that looks for another one

// The subjects of requests end with the name of the worker that asks, so that a NATS server can keep other workers from
// using these subjects.
func (n Name) hello(worker string) string { return n.arena() + "." + worker }

func (n Name) start(task, worker string) string { return string(n) + ".start." + task + "." + worker }

func (n Name) report(task, worker string) string { return string(n) + ".report." + task + "." + worker }

// Inbox returns the prefix of the subjects for answers to a worker, for nats.CustomInboxPrefix. All subjects that
// begin with it and a dot are this worker's.
func Inbox(worker string) string { return "_INBOX." + strings.ReplaceAll(worker, ".", "/") }

// Permits returns the subjects that a worker of the farm may publish to and subscribe to: it asks the arena, takes
// tasks, keeps its card and reads files. It cannot make tasks, answer in the arena's place, or speak or listen in the
// place of another worker. Permits returns the error of ValidateWorker.
func (n Name) Permits(worker string) (publish, subscribe []string, err error) {
	if err := ValidateWorker(worker); err != nil {
		return nil, nil, err
	}
	files := "OBJ_" + n.files()
	return []string{
		Name("*").hello(worker), // a worker that asks for an absent farm learns that the farm is absent
		n.start("*", worker), n.report("*", worker), "$KV." + n.workers() + "." + worker,
		"$JS.API.CONSUMER.INFO." + n.tasks() + ".*", "$JS.API.CONSUMER.MSG.NEXT." + n.tasks() + ".*", "$JS.ACK." + n.tasks() + ".>",
		"$JS.API.STREAM.INFO.KV_" + n.workers(), "$JS.API.STREAM.INFO." + files,
		"$JS.API.DIRECT.GET." + files, "$JS.API.DIRECT.GET." + files + ".>",
	}, []string{Inbox(worker) + ".>"}, nil
}

// workerPattern matches the names of workers. A worker's name is the key of its card, and JetStream allows these
// names as keys.
var workerPattern = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

// mostLabel is the length in bytes of the longest name of a worker, and of the other names on its card.
const mostLabel = 200

// ValidateWorker returns an error for a name that no worker can have.
func ValidateWorker(name string) error {
	if len(name) > mostLabel || !workerPattern.MatchString(name) {
		return fmt.Errorf("worker %q: want 1 to %d letters (A-Z, a-z), digits, - and _, with single dots between them", name, mostLabel)
	}
	return nil
}

// lane is a queue of the stream of tasks, and the name of its consumer.
type lane string

// The lanes.
const (
	plainLane lane = "plain" // matches that every worker can play
	execLane  lane = "exec"  // tasks that need programs of the worker's machine
	batchLane lane = "batch" // batches, for workers that have chores
)

// Kind is the kind of work in a task: Match, or a kind of batches that a Chore does.
type Kind string

// Match is a task to play the games of a match.
const Match Kind = "match"

// task is a message of the stream. The worker asks for the work itself when it begins the task.
type task struct {
	ID   string `json:"id"` // of this message alone: only the worker with the task knows it
	Kind Kind   `json:"kind"`
}

// Card describes a worker. The worker sends it in its hello and every few seconds to the bucket of cards.
type Card struct {
	Worker  string  `json:"worker"` // its name, which no other worker has
	Host    string  `json:"host"`
	Version string  `json:"version"`           // of its program
	Print   string  `json:"print"`             // see Fingerprint
	Cores   int     `json:"cores"`             // processors that it may use
	Games   int     `json:"games"`             // tasks that it does at once
	Exec    bool    `json:"exec"`              // runs programs
	Batches bool    `json:"batches"`           // does batches, too
	Speed   float64 `json:"speed,omitempty"`   // playouts a second of one core; 0 if not measured
	Lag     int64   `json:"lag_us,omitempty"`  // the mean lateness of its timers in the last half minute, in microseconds
	Busy    int     `json:"busy"`              // tasks that it does now
	Played  int     `json:"played"`            // games that it has played
	Faults  int     `json:"faults"`            // tasks that it could not do
	Trouble string  `json:"trouble,omitempty"` // why it gets no files of bots, "" if it does
}

// Overloaded reports whether the worker's timers are so late that it does fewer tasks at once.
func (c Card) Overloaded() bool { return time.Duration(c.Lag)*time.Microsecond > mostLag }

// bounded returns the card with values that a worker can really have: the author of a card may write any values.
func (c Card) bounded() Card {
	for _, text := range []*string{&c.Host, &c.Version, &c.Print} {
		*text = cut(*text, mostLabel)
	}
	c.Worker, c.Trouble = cut(c.Worker, mostText), cut(c.Trouble, mostText) // a name cut to mostLabel might be another worker's
	c.Games, c.Busy = min(max(c.Games, 0), maxGames), min(max(c.Busy, 0), maxGames)
	c.Cores, c.Played, c.Faults = min(max(c.Cores, 0), mostCores), max(c.Played, 0), max(c.Faults, 0)
	c.Lag, c.Speed = min(max(c.Lag, 0), tournament.MaxTime.Microseconds()), min(max(c.Speed, 0), mostSpeed)
	return c
}

// mostCores is more cores than any machine has. The sum over all workers still fits into an int.
const mostCores = 1 << 20

// mostSpeed is more playouts a second than any core makes.
const mostSpeed = 1e12

// welcome answers a hello.
type welcome struct {
	Refused string        `json:"refused,omitempty"` // why the worker gets no tasks
	Aside   bool          `json:"aside,omitempty"`   // it is set aside
	Lease   time.Duration `json:"lease_ns"`          // after this time without news of its worker a task goes to another one
	Report  time.Duration `json:"report_ns"`         // plies wait this long for others, to be reported together
}

// refusal is the reason why a worker cannot go on with a task.
type refusal string

// The refusals.
const (
	gone   refusal = "gone"   // the arena does not wait for the task any more
	taken  refusal = "taken"  // another worker has begun the task
	others refusal = "others" // the task is for other workers
)

// refuser is an answer that may refuse a request about a task.
type refuser interface{ refused() refusal }

func (s *matchWork) refused() refusal { return s.Refused }
func (o *order) refused() refusal     { return o.Refused }
func (r *receipt) refused() refusal   { return r.Refused }

// matchWork answers a request to start a match. The request has no content.
type matchWork struct {
	Refused refusal          `json:"refused,omitempty"`
	Event   tournament.Event `json:"event,omitzero"` // without the parts that no worker needs
	ID      int64            `json:"id"`             // of the event
	Games   []game           `json:"games"`
	Target  *int             `json:"target,omitempty"`
	Speed   float64          `json:"speed"` // of the arena's machine: see Card
	Files   stock            `json:"files,omitempty"`
	// Programs are the commands of the bots that have no spec.
	Programs map[string][]string `json:"programs,omitempty"`
}

// order answers the start of a batch.
type order struct {
	Refused  refusal         `json:"refused,omitempty"`
	Bot      string          `json:"bot"` // its spec
	Settings json.RawMessage `json:"settings"`
	Speed    float64         `json:"speed"` // of the arena's machine: see Card
	Files    stock           `json:"files,omitempty"`
}

// outcome is the report of a batch. With neither a result nor a fault it means that the worker is still working on
// the batch.
type outcome struct {
	Result json.RawMessage `json:"result,omitempty"`
	Fault  string          `json:"fault,omitempty"` // why the batch could not be done
}

// game is a game with its plies so far.
type game struct {
	ID      int64              `json:"id"`
	Pairing tournament.Pairing `json:"pairing"`
	Leg     int                `json:"leg"`
	Record  record.Record      `json:"record"`
}

// report tells of plies of a game, and of its end.
type report struct {
	Game  int64   `json:"game"`
	First int     `json:"first"` // the index of the first ply
	Plies plies   `json:"plies"`
	End   *ending `json:"end,omitempty"`
}

// ending is the end of a game.
type ending struct {
	Ending record.Ending `json:"ending"`
	Detail string        `json:"detail,omitempty"`
	Pause  record.Pause  `json:"pause,omitzero"` // after the last ply
	Logs   [2][]byte     `json:"logs"`
}

// The longest texts that a worker may send, in bytes. Longer ones are cut.
const (
	mostText = 1000     // of a sentence or a name
	mostLog  = 64 << 10 // of a log: the machine of a program keeps this much of it
)

// bound cuts an ending down to the texts and times of a possible game: a worker can report anything, and all of
// it is recorded and shown to watchers.
func (e *ending) bound() {
	e.Detail = cut(e.Detail, mostText)
	for side, log := range e.Logs {
		e.Logs[side] = log[max(0, len(log)-mostLog):]
	}
	e.Pause.Stall, e.Pause.Away = bounded(e.Pause.Stall), bounded(e.Pause.Away)
}

// bounded returns a time, or the nearest possible one if it is impossible.
func bounded(t time.Duration) time.Duration { return min(max(t, 0), tournament.MaxTime) }

// cut returns a text without the characters beyond a number of bytes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.Clone(text[:most]) // the rest need not be kept
}

// receipt answers a report.
type receipt struct {
	Refused refusal `json:"refused,omitempty"`
	Have    int     `json:"have"`               // the number of plies of the game that the arena has
	Ended   bool    `json:"recorded,omitempty"` // the game's end is on record, or the arena has the result
}

// plies are consecutive plies: a list for each value, with one entry for each ply. A list besides Moves is empty if all
// its values are zero.
type plies struct {
	Moves    []byte                 `json:"moves"`
	Times    []int64                `json:"times_us"`
	Lags     []int64                `json:"lags_us,omitempty"`
	Stalls   []int64                `json:"stalls_us,omitempty"`
	Aways    []int64                `json:"aways_us,omitempty"`
	Searches []*record.SearchReport `json:"searches,omitempty"`
}

// newPlies returns the form of plies on the wire.
func newPlies(all []tournament.Ply) plies {
	var p plies
	for _, ply := range all {
		p.Moves = append(p.Moves, byte(ply.Move))
		p.Searches = append(p.Searches, ply.Search)
	}
	p.Times = micros(all, func(p tournament.Ply) time.Duration { return p.Time })
	p.Lags = micros(all, func(p tournament.Ply) time.Duration { return p.Lag })
	p.Stalls = micros(all, func(p tournament.Ply) time.Duration { return p.Stall })
	p.Aways = micros(all, func(p tournament.Ply) time.Duration { return p.Away })
	if !slices.ContainsFunc(all, func(p tournament.Ply) bool { return p.Search != nil }) {
		p.Searches = nil
	}
	return p
}

// micros applies of to each ply. It returns the times in microseconds, or nil if all are zero.
func micros(all []tournament.Ply, of func(tournament.Ply) time.Duration) []int64 {
	var times []int64
	for i, ply := range all {
		if t := of(ply).Microseconds(); t != 0 {
			if times == nil {
				times = make([]int64, len(all))
			}
			times[i] = t
		}
	}
	return times
}

// list returns the plies, with each time bounded to the range from 0 to tournament.MaxTime. It returns an error if a
// list is neither empty nor as long as Moves.
func (p plies) list() ([]tournament.Ply, error) {
	all := make([]tournament.Ply, len(p.Moves))
	for _, n := range []int{len(p.Times), len(p.Lags), len(p.Stalls), len(p.Aways), len(p.Searches)} {
		if n != 0 && n != len(all) {
			return nil, fmt.Errorf("%d moves with %d values: want one each", len(all), n)
		}
	}
	at := func(times []int64, i int) time.Duration {
		if len(times) == 0 {
			return 0
		}
		return time.Duration(min(max(times[i], 0), int64(tournament.MaxTime/time.Microsecond))) * time.Microsecond
	}
	for i, m := range p.Moves {
		all[i] = tournament.Ply{Move: rules.Move(m), Time: at(p.Times, i), Lag: at(p.Lags, i), Stall: at(p.Stalls, i), Away: at(p.Aways, i)}
		if len(p.Searches) > 0 {
			all[i].Search = p.Searches[i]
		}
	}
	return all, nil
}

// messages is the version of the messages between an arena and its workers.
const messages = 4

// Fingerprint returns a short checksum of everything that an arena and its workers must have in common: the
// messages, the rules, and the kinds of bots with the names, defaults and allowed values of their options.
var Fingerprint = sync.OnceValue(func() string {
	sum := sha256.New()
	fmt.Fprintln(sum, messages, rules.Rulesets())
	for _, k := range players.Kinds() {
		fmt.Fprintln(sum, k.Name)
		for _, o := range k.Options {
			fmt.Fprintln(sum, o.Name, o.Default, o.Allowed())
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
})
