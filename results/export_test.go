package results

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// someEvent records a random event drawn from the seed: its settings, its bots' identities, and
// games that are finished, in progress or not begun.
func someEvent(t *testing.T, s *Store, seed uint64) int64 {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 9))
	e := duel(1 + random.IntN(8))
	e.Name = fmt.Sprintf("event <%d> \u2028 \"%s\"", seed, strings.Repeat("ü", random.IntN(3)))
	e.Created = e.Created.Add(time.Duration(random.Int64N(1e15)))
	e.Rules = []rules.Ruleset{rules.GPCC2015, rules.GPCC2016, rules.Solo}[random.IntN(3)]
	e.Seed, e.InProcess, e.Search = random.Uint64N(1<<53), random.IntN(2) == 0, random.IntN(2) == 0
	e.Clock = tournament.Clock{PerMove: time.Duration(random.IntN(1e9)), Base: time.Duration(random.IntN(1e9)), Increment: 7}
	e.Settings.Budget = players.Effort{Playouts: random.Uint64N(3)}
	e.Settings.Strikes = tournament.Strikes{Faults: random.IntN(3)}
	e.Settings.Adjudication = tournament.Adjudication{Resign: true, MaxTurns: 500 + random.IntN(9)}
	start := rules.NewPosition(e.Rules, e.Size)
	if random.IntN(2) == 0 {
		for range random.IntN(6) {
			start = start.Next(start.AppendMoves(nil)[0])
		}
		e.Settings.Openings = tournament.NewOpenings("drawn", []rules.Position{start})
	}
	if random.IntN(3) == 0 {
		e.Settings.Plan.Kind = tournament.Ladder
		e.Memberships = []tournament.Membership{{Name: "ann", From: 1, To: tournament.NotLeft}, {Name: "bob", From: 1, To: random.IntN(9)}}
	}
	id, err := s.CreateEvent(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	j := s.Journal(id)
	for i := range random.IntN(4) {
		who := tournament.Identity{Name: []string{"bob", "ann"}[random.IntN(2)], Version: fmt.Sprint(9 - i), Spec: "random"}
		if err := j.Identify(t.Context(), who); err != nil {
			t.Fatal(err)
		}
	}
	for match := range e.Matches {
		for leg := range 2 {
			someGame(t, j, duelGame(match+1, leg+1), start, random)
		}
	}
	flush(t, j)
	return id
}

// someGame plays a game up to a random point.
func someGame(t *testing.T, j *Journal, g tournament.Game, start rules.Position, random *rand.Rand) {
	t.Helper()
	how := random.IntN(5)
	if how == 0 {
		return
	}
	g.Record.Start = start
	if start.Rules().Chance() {
		g.Record.Attacker = tournament.ChanceName
	}
	g = open(t, j, g)
	switch how {
	case 1:
		playOn(&g, j, random.IntN(9))
		return
	case 2:
		playOn(&g, j, 2*random.IntN(4))
		fail(&g, []record.Ending{record.Time, record.Disconnect, record.IllegalMove, record.Resigned}[random.IntN(4)])
	default:
		playOn(&g, j, -1)
	}
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
}

func exported(t *testing.T, s *Store, event int64) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := s.Export(t.Context(), &out, event); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Exporting an event, importing it and exporting it again gives the same bytes, and verification
// gives the same result in both databases.
func TestExportIsLossless(t *testing.T) {
	from, to := openNew(t), openNew(t)
	for seed := range uint64(40) {
		event := someEvent(t, from, seed)
		first := exported(t, from, event)
		got, err := to.Import(t.Context(), bytes.NewReader(first), 0)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again := exported(t, to, got.Event); !bytes.Equal(again, first) {
			t.Fatalf("seed %d: exported again\n%s\nwant\n%s", seed, again, first)
		}
		if a, b := verified(t, from, event), verified(t, to, got.Event); a != b || a.Bad > 0 {
			t.Errorf("seed %d: verified %+v, after the import %+v", seed, a, b)
		}
	}
}

func verified(t *testing.T, s *Store, event int64) Verification {
	t.Helper()
	v, err := s.Verify(t.Context(), Filter{Event: event}, func(g Stored, why error) { t.Errorf("game %d: %v", g.ID, why) })
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// wantRefused checks that a file is refused and leaves no trace.
func wantRefused(t *testing.T, s *Store, file []byte, what string, want ...error) {
	t.Helper()
	_, err := s.Import(t.Context(), bytes.NewReader(file), 0)
	found := false
	for _, w := range want {
		found = found || errors.Is(err, w)
	}
	if !found || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: error %v, want one of %v", what, err, want)
	}
	if events, err := s.Events(t.Context()); err != nil || len(events) > 0 {
		t.Fatalf("%s: %d events (%v), want none", what, len(events), err)
	}
}

// Errors describe the damage of a file in words.
func TestImportNamesDamage(t *testing.T) {
	from, to := openNew(t), openNew(t)
	file := exported(t, from, someEvent(t, from, 3))
	lines := bytes.SplitAfter(file, []byte("\n"))
	without := append(bytes.Clone(lines[0]), bytes.Join(lines[2:], nil)...)
	const number, games = `\d+`, `\d+ games \(\d+ in progress\) of \d+ plies with the SHA-256 [0-9a-f]{12}\.\.\.`
	want := regexp.MustCompile(`in line ` + number + `: it is for ` + games + `, but the lines before it have ` + games + `$`)
	if _, err := to.Import(t.Context(), bytes.NewReader(without), 0); err == nil || !want.MatchString(err.Error()) {
		t.Errorf("error %v, want %v", err, want)
	}
}

func TestImportRefusesDamage(t *testing.T) {
	from, to := openNew(t), openNew(t)
	file := exported(t, from, someEvent(t, from, 3))
	random := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		at := random.IntN(len(file))
		wantRefused(t, to, file[:at], fmt.Sprintf("the first %d bytes", at), ErrTruncated)
		flipped := bytes.Clone(file)
		flipped[at] ^= 1 << random.IntN(8)
		wantRefused(t, to, flipped, fmt.Sprintf("byte %d flipped", at), ErrBroken, ErrNoEvent, ErrTruncated, ErrNewer)
	}
	lines := bytes.SplitAfter(file, []byte("\n"))
	for i := 1; i < len(lines)-2; i++ {
		without := append(bytes.Join(lines[:i], nil), bytes.Join(lines[i+1:], nil)...)
		wantRefused(t, to, without, fmt.Sprintf("without line %d", i+1), ErrBroken)
	}
	wantRefused(t, to, append(bytes.Clone(file), file...), "twice", ErrBroken)
	wantRefused(t, to, []byte("{}\n"), "another file", ErrNoEvent)
	wantRefused(t, to, []byte("a,b\n"), "another format", ErrNoEvent)
	wantRefused(t, to, bytes.Replace(file, []byte(`"version":1`), []byte(`"version":2`), 1), "newer", ErrNewer)
	if _, err := to.Import(t.Context(), bytes.NewReader(file), 0); err != nil {
		t.Error(err)
	}
}

// A file with duplicate lines is refused in our words, with the line.
func TestImportOfTheSameTwice(t *testing.T) {
	from, to := openNew(t), openNew(t)
	e := mixed(t, from)
	j := from.Journal(e.ID)
	if err := errors.Join(
		j.Identify(t.Context(), tournament.Identity{Name: "ann", Version: "1"}),
		j.SetMemberships(t.Context(), e.Entries[0], []tournament.Membership{{Name: "ann", From: 1, To: tournament.NotLeft}}),
	); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(exported(t, from, e.ID), []byte("\n"))
	header, games := lines[0], lines[1:len(lines)-2]
	for i, again := range games {
		for at := i + 1; at <= len(games); at++ {
			_, err := to.Import(t.Context(), bytes.NewReader(closed(header, bytes.Join(slices.Insert(slices.Clone(games), at, again), nil))), 0)
			if !errors.Is(err, ErrBroken) || !regexp.MustCompile(`damaged in line \d+: game \d of match \d is there twice$`).MatchString(err.Error()) {
				t.Errorf("line %d again in line %d: error %v", i+2, at+2, err)
			}
		}
	}
	for _, list := range []string{"entries", "stays", "identities"} {
		twice := regexp.MustCompile(`("`+list+`":\[)([^]]+)`).ReplaceAll(header, []byte("$1$2,$2"))
		if bytes.Equal(twice, header) {
			t.Errorf("the list %s is empty: %s", list, header)
		}
		_, err := openNew(t).Import(t.Context(), bytes.NewReader(closed(twice, bytes.Join(games, nil))), 0)
		if list == "entries" && err == nil || err != nil && !errors.Is(err, ErrBroken) || hasCode(err, sqlite3.SQLITE_CONSTRAINT) {
			t.Errorf("%s: error %v", list, err)
		}
	}
}

// A time that is in year 10000 in UTC could not be read again, and with it no list of events or games.
func TestImportRefusesLateTimes(t *testing.T) {
	from, to := openNew(t), openNew(t)
	file := exported(t, from, someEvent(t, from, 1))
	for _, key := range []string{"created", "started", "finished"} {
		late := regexp.MustCompile(`"`+key+`":"[^"]*"`).ReplaceAll(file, []byte(`"`+key+`":"9999-12-31T23:59:59-01:00"`))
		_, err := to.Import(t.Context(), bytes.NewReader(late), 0)
		if !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), "want a year") {
			t.Errorf("%s: error %v, want one of the year", key, err)
		}
	}
}

// A match of a number that does not fit into a catalog would make every list of the event fail.
func TestImportRefusesHugeNumbers(t *testing.T) {
	from, to := openNew(t), openNew(t)
	file := exported(t, from, someEvent(t, from, 1))
	for _, key := range []string{"match", "round", "nth"} {
		huge := regexp.MustCompile(`"`+key+`":\d+`).ReplaceAll(file, []byte(`"`+key+`":2147483648`))
		if _, err := to.Import(t.Context(), bytes.NewReader(huge), 0); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), "from 1 to 2147483647") {
			t.Errorf("%s: error %v", key, err)
		}
	}
}

// Events of earlier versions may test hypotheses that are too close together for a new event.
func TestImportOfCloseHypotheses(t *testing.T) {
	from, to := openNew(t), openNew(t)
	e := duel(1)
	e.Settings.Plan = tournament.Plan{Kind: tournament.SPRT, SPRT: rating.SPRT{Elo1: 0.05, Alpha: 0.05, Beta: 0.05, Model: rating.Logistic}}
	id, err := from.CreateEvent(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.Import(t.Context(), bytes.NewReader(exported(t, from, id)), 0); err != nil {
		t.Error(err)
	}
}

func TestImportTwice(t *testing.T) {
	s := openNew(t)
	event := someEvent(t, s, 1)
	_, err := s.Import(t.Context(), bytes.NewReader(exported(t, s, event)), 0)
	var there *ImportedError
	if !errors.As(err, &there) || there.Event != event {
		t.Errorf("error %v, want one that names event %d", err, event)
	}
}

func TestExportRefusesADamagedGame(t *testing.T) {
	s := openNew(t)
	e := mixed(t, s)
	if _, err := s.write.Exec(`UPDATE games SET score = score + 4 WHERE id = 1`); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := s.Export(t.Context(), &out, e.ID); err == nil || !strings.Contains(err.Error(), "game 1 differs from its record: score: want") {
		t.Errorf("error %v", err)
	}
	var missing *NotFoundError
	if _, err := s.Export(context.Background(), &out, 77); !errors.As(err, &missing) {
		t.Errorf("event 77: %v", err)
	}
}

// Downloads for strangers have no search reports of games that may go on.
func TestExportShown(t *testing.T) {
	testkit.Long(t)
	s := openNew(t)
	hidden, shown, kept := 0, 0, 0
	for seed := range uint64(20) {
		event := someEvent(t, s, seed)
		var whole, file bytes.Buffer
		_, err := s.Export(t.Context(), &whole, event)
		if _, other := s.ExportShown(t.Context(), &file, event); err != nil || other != nil {
			t.Fatal(err, other)
		}
		if _, err := openNew(t).Import(t.Context(), bytes.NewReader(file.Bytes()), 0); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(whole.String()) {
			searched := strings.Contains(line, `"searches":`)
			switch unfinished := strings.Contains(line, `"ending":"unfinished"`); {
			case searched && unfinished:
				hidden++
			case searched:
				shown++
			}
		}
		for line := range strings.Lines(file.String()) {
			searched := strings.Contains(line, `"searches":`)
			switch unfinished := strings.Contains(line, `"ending":"unfinished"`); {
			case searched && unfinished:
				t.Errorf("the searches of an unfinished game are shown: %.200s", line)
			case searched:
				kept++
			}
		}
	}
	if hidden == 0 || shown == 0 {
		t.Errorf("%d unfinished and %d finished games with searches: the test says little", hidden, shown)
	}
	if kept != shown {
		t.Errorf("the searches of %d finished games are shown, want all %d", kept, shown)
	}
}
