//go:build hosting

package deploy_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"versus2048/internal/templates"
	"versus2048/internal/testkit"
)

// evenings are the flags of an evening by its board. A bot that is cut off does not lose by its clock before the arena
// knows.
var evenings = map[string][]string{
	"2x2": {"--matches", "20"},
	"3x3": {"--matches", "20"},
}

// clubEvening hosts a club evening as docs/HOST-AN-EVENING.md shows it, with the archive of a release alone. Six
// friends, each on a network of their own, have bots in six languages. One bot is killed and comes back, one is cut off
// for a while, and one joins late. VERSUS2048_EVENING is the board, 2x2 or 3x3.
func clubEvening(t *testing.T, release string) {
	size, root := cmp.Or(os.Getenv("VERSUS2048_EVENING"), "2x2"), t.TempDir()
	friends := []*friend{}
	for _, template := range templates.All() {
		friends = append(friends, newFriend(t, template))
	}

	began := time.Now()
	finished(t, "tar", "xzf", releaseFile(t, release, "_linux_amd64.tar.gz"), "--strip-components=1", "-C", root)
	e := &evening{m: bareMachine(t, root), db: "/evening.db"}
	e.open(t, append(evenings[size], "--size", size)...)
	e.host.AwaitOutput(t, "6 missing")
	for i, f := range friends {
		f.connect(t, e.m, i+1)
	}
	late, inTime := friends[5], friends[:5]
	for _, f := range inTime {
		f.joins(t, e)
	}
	e.awaitLobby(t, len(inTime))
	e.does(t, "lobby", "start")
	t.Logf("the event began after %v", time.Since(began))

	e.awaitGames(t, 2)
	inTime[0].bot.kill()
	inTime[1].cut(t, e.m)
	late.joins(t, e)
	e.does(t, "event", "join", "1", late.name)
	inTime[0].joins(t, e)
	testkit.Await(t, "the arena to miss the bot that is cut off", func() bool { return e.misses(t, inTime[1]) })
	inTime[1].mend(t, e.m)

	e.host.AwaitOutput(t, "The evening is over")
	t.Logf("the evening took %v", time.Since(began))
	e.checkEnd(t, friends)
}

// checkEnd checks that all have played, that nobody has lost a game by a fault, and that the report tells all of it.
func (e *evening) checkEnd(t *testing.T, friends []*friend) {
	t.Helper()
	var games []struct{ Attacker, Defender, Ending, Detail string }
	if err := json.Unmarshal([]byte(e.does(t, "games", "--event", "1", "--db", e.db, "--json")), &games); err != nil {
		t.Fatal(err)
	}
	played := map[string]int{}
	for _, g := range games {
		if g.Ending != "mate" && g.Ending != "max-turns" {
			t.Errorf("%s attacks %s: %s, %s", g.Attacker, g.Defender, g.Ending, g.Detail)
		}
		played[g.Attacker]++
	}
	if len(played) != len(friends) {
		t.Errorf("games of %v, want %d bots", played, len(friends))
	}
	e.does(t, "report", "1", "--db", e.db, "--out", "/report.html")
	page, err := os.ReadFile(filepath.Join(e.m.root, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range friends {
		if !strings.Contains(string(page), f.name) {
			t.Errorf("the report does not name %s", f.name)
		}
	}
	if !strings.Contains(string(page), "data:image/gif") {
		t.Error("the report shows no game")
	}
	if got := e.does(t, "verify", "--db", e.db, "--json"); !strings.Contains(got, `"bad": 0`) {
		t.Errorf("arena verify: %s", got)
	}
}

// evening is an evening on a machine that has the archive and nothing else.
type evening struct {
	m    *machine
	db   string
	host program
	code string
}

// open opens the evening, or resumes it.
func (e *evening) open(t *testing.T, flags ...string) {
	t.Helper()
	e.host = e.m.starts(t, nil, "", append([]string{
		"/arena", "host", "--yes", "--name", "Friday", "--bots", "6", "--rounds", "5", "--hours", "1",
		"--time-per-move", "30s", "--grace", "1m", "--db", e.db,
	}, flags...)...)
	e.host.AwaitOutput(t, "code: ")
	e.code = regexp.MustCompile(`code: (\w+)`).FindStringSubmatch(e.host.Output.String())[1]
}

// does carries out a command of the program arena on the host's machine.
func (e *evening) does(t *testing.T, words ...string) string {
	t.Helper()
	return e.m.does(t, "", append([]string{"/arena"}, words...)...)
}

// awaitLobby waits until that number of bots has passed its check.
func (e *evening) awaitLobby(t *testing.T, bots int) {
	t.Helper()
	testkit.Await(t, "the bots in the lobby", func() bool {
		return strings.Count(e.does(t, "lobby", "--json"), `"result": "passed"`) == bots
	})
}

// awaitGames waits until that number of games is over.
func (e *evening) awaitGames(t *testing.T, games int) {
	t.Helper()
	testkit.Await(t, "games", func() bool { return e.status(t).Done >= games })
}

// eveningStatus is the state of the event.
type eveningStatus struct {
	Done int
	Away []struct{ Bot string }
}

func (e *evening) status(t *testing.T) (s eveningStatus) {
	t.Helper()
	if err := json.Unmarshal([]byte(e.does(t, "event", "status", "1", "--server", "http://127.0.0.1:2048", "--json")), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// misses reports whether the arena has noticed that a friend's bot is away.
func (e *evening) misses(t *testing.T, f *friend) bool {
	t.Helper()
	for _, away := range e.status(t).Away {
		if away.Bot == f.name {
			return true
		}
	}
	return false
}

// friend has a bot in a language, and a network that leads to the host only.
type friend struct {
	name   string
	run    []string // the words of the command that runs the bot
	folder string   // of the bot
	number int      // of the network, which is 10.48.number.0/24
	holder program  // of the network's namespace
	bot    program
}

// newFriend writes and builds a bot.
func newFriend(t *testing.T, template templates.Template) *friend {
	t.Helper()
	f := &friend{name: template.Language, run: strings.Fields(template.Run), folder: filepath.Join(t.TempDir(), template.Language)}
	finished(t, built(t, "bot"), "new", template.Language, f.folder)
	if template.Build != "" {
		finished(t, "sh", "-ec", "cd "+f.folder+" && "+template.Build)
	}
	f.holder = started(t, nil, "unshare", "--net", "sh", "-ec", "ip link set lo up; echo ready; exec sleep infinity")
	f.holder.AwaitOutput(t, "ready")
	return f
}

// connect connects a friend's network to a machine.
func (f *friend) connect(t *testing.T, m *machine, number int) {
	t.Helper()
	f.number = number
	f.inNetwork(t, m.holder, "ip link add friend%[1]d type veth peer name host netns %[2]d; ip address add 10.48.%[1]d.1/24 dev friend%[1]d; ip link set friend%[1]d up", number, f.holder.Process.Pid)
	f.inNetwork(t, f.holder, "ip address add 10.48.%[1]d.2/24 dev host; ip link set host up", number)
}

// cut interrupts this connection; mend restores it.
func (f *friend) cut(t *testing.T, m *machine) {
	t.Helper()
	f.inNetwork(t, m.holder, "ip link set friend%d down", f.number)
}

func (f *friend) mend(t *testing.T, m *machine) {
	t.Helper()
	f.inNetwork(t, m.holder, "ip link set friend%d up", f.number)
}

// inNetwork carries out a script in the network of a process.
func (f *friend) inNetwork(t *testing.T, holder program, script string, args ...any) {
	t.Helper()
	finished(t, "nsenter", "--target", strconv.Itoa(holder.Process.Pid), "--net", "sh", "-ec", fmt.Sprintf(script, args...))
}

// joins starts the bot with the line of the page to join. It takes the name, or has it from before.
func (f *friend) joins(t *testing.T, e *evening) {
	t.Helper()
	f.bot = program{testkit.NewProgram("nsenter", append([]string{
		"--target", strconv.Itoa(f.holder.Process.Pid), "--net", built(t, "bot"), "exec", "--name", f.name,
		"--url", fmt.Sprintf("ws://10.48.%d.1:2048/bot", f.number), "--invitation", e.code, "--reconnect", "5m", "--",
	}, f.run...)...)}
	f.bot.Dir = f.folder
	f.bot.Env = append(f.bot.Environ(), "XDG_CONFIG_HOME="+f.folder+"/config", "XDG_CACHE_HOME="+f.folder+"/cache")
	f.bot.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	f.bot.Begin(t)
	t.Cleanup(f.bot.kill)
	f.bot.AwaitOutput(t, "connected")
}

// The disk of an evening becomes full: the host reads why the event has stopped, and once there is room the same
// command plays it to its end.
func TestEveningOnFullDisk(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	copied(t, root, built(t, "arena"), built(t, "bot"))
	small := filepath.Join(root, "small")
	if err := os.Mkdir(small, 0o755); err != nil {
		t.Fatal(err)
	}
	e := &evening{m: bareMachine(t, root), db: "/small/evening.db"}
	e.inside(t, "mount -t tmpfs -o size=4m tmpfs "+small)
	flags := []string{"--size", "3x2", "--matches", "20", "--disk-free", "1KiB"}
	e.open(t, flags...)
	for _, name := range []string{"ann", "bob", "cyd"} {
		e.m.starts(t, []string{"HOME=/" + name}, "", "/bot", "run", "greedy", "--name", name, "--invitation", e.code, "--reconnect", "5m")
	}
	e.awaitLobby(t, 3)
	e.does(t, "lobby", "start")
	e.awaitGames(t, 2)
	e.inside(t, "dd if=/dev/zero of="+small+"/filler bs=4k || true")
	e.host.AwaitOutput(t, "disk is full")
	e.inside(t, "rm "+small+"/filler")
	stops(t, e.host)
	e.open(t, flags...)
	e.host.AwaitOutput(t, "The evening is over")
	if got := e.does(t, "verify", "--db", e.db, "--json"); !strings.Contains(got, `"bad": 0`) {
		t.Errorf("arena verify: %s", got)
	}
}

// inside carries out a script with the programs of this machine and the mounts of the host's machine.
func (e *evening) inside(t *testing.T, script string) {
	t.Helper()
	finished(t, "nsenter", "--target", strconv.Itoa(e.m.holder.Process.Pid), "--mount", "sh", "-ec", script)
}
