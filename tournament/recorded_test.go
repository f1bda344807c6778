package tournament_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// course is a way through an event: the bots' faults, the number of matches at once, and the order
// of their ends.
type course struct {
	event  tournament.Event
	seed   uint64
	faults int // of 100 games of the bots with odd numbers; the other bots never fail
	atOnce int // matches
	most   int // matches that are played
}

// title names the course in the recorded file.
func (c *course) title() string {
	s := &c.event.Settings
	return fmt.Sprintf("%s bots %d matches %d seeds %d rounds %d ahead %d openings %d stays %d strikes %d%s: seed %d faults %d at once %d",
		format.Name(s.Plan), len(c.event.Entries), c.event.Matches, s.Plan.Seeds, s.Plan.Rounds, s.Plan.Ahead, len(s.Openings.Starts),
		len(c.event.Memberships), s.Strikes.Faults, s.Strikes.Games, c.seed, c.faults, c.atOnce)
}

// courses returns the recorded ways through events of all formats.
func courses() []course {
	var all []course
	for _, kind := range tournament.Formats() {
		for _, bots := range []int{2, 3, 4, 5, 8, 11} {
			for matches := 1; matches <= 3; matches++ {
				all = append(all, coursesOf(kind, bots, matches)...)
			}
		}
	}
	return all
}

// coursesOf returns the ways through events of one size: without strikes, with some that
// count and with some that void the games of bots that are set aside.
func coursesOf(kind string, bots, matches int) (all []course) {
	if kind == tournament.SPRT && bots != 2 || kind == tournament.Placement {
		return nil // there were no placements yet
	}
	for i, strikes := range []tournament.Strikes{{}, {Faults: 2}, {Faults: 1, Games: tournament.VoidGames}, {Faults: 3, Games: tournament.CountGames}} {
		e := tournament.Event{Name: "course", Size: rules.Size{Width: 3, Height: 2}, Matches: matches, Concurrency: 1}
		for b := range bots {
			e.Entries = append(e.Entries, tournament.Entry{Name: fmt.Sprint("b", b)})
		}
		e.Settings.Strikes, e.Settings.Plan.Kind = strikes, kind
		c := course{event: e, seed: uint64(100*bots + 10*matches + i), atOnce: 1 + (bots+matches+i)%3*4, most: 60}
		if strikes.Faults > 0 {
			c.faults = 8
		}
		if c.special(kind, i); kind == tournament.Ladder && bots == 2 && c.event.Matches == 0 && strikes.Faults > 0 {
			continue // one bot is left, without an opponent
		}
		all = append(all, c)
	}
	return all
}

// special sets the settings that only one format has.
func (c *course) special(kind string, i int) {
	plan, bots := &c.event.Settings.Plan, len(c.event.Entries)
	switch kind {
	case tournament.Gauntlet:
		plan.Seeds = min(1+i, bots-1)
	case tournament.Swiss:
		plan.Rounds = (i % 2) * (bots - 1)
	case tournament.SPRT:
		plan.SPRT.Elo1, plan.Ahead = 100, 1+5*i
		if i%2 == 1 {
			c.event.Matches = 0
			c.event.Settings.Openings.Starts = []string{"2,0,0/0,2,0 D 0 9", "0,4,0/0,2,0 A 4 6"}
		}
	case tournament.Ladder:
		plan.Ahead = 1 + 3*i
		if i%2 == 0 {
			c.event.Matches *= 8
		} else if c.event.Matches = 0; bots > 3 {
			c.event.Memberships = []tournament.Membership{
				{Name: "b1", From: 1, To: 20}, {Name: "b1", From: 31, To: tournament.NotLeft}, {Name: "b0", From: 9, To: tournament.NotLeft},
			}
		}
	}
}

// result returns a match's result, which depends on the seed and the match only.
func (c *course) result(p tournament.Pairing) []tournament.Game {
	random := rand.New(rand.NewPCG(c.seed, uint64(p.Match)))
	var games []tournament.Game
	for leg := 1; leg <= 2; leg++ {
		g := mated(p, leg, 8<<random.IntN(3))
		attacker, defender := p.Roles(leg)
		for side, name := range []string{rules.Attacker: attacker, rules.Defender: defender} {
			if draw := rand.New(rand.NewPCG(c.seed+uint64(side)+1, uint64(10*p.Match+leg))).IntN(100); name[len(name)-1]%2 == 1 && draw < c.faults {
				g = endedGame(p, leg, 8, record.IllegalMove, rules.Side(side))
			}
		}
		games = append(games, g)
	}
	return games
}

// play plays the course and writes a line for each match: its number, the pairings that
// can be played since then (+), how many can be played (=), the total, and a checksum of the
// standings and the crosstable. The event is resumed after that many matches, again and again.
func (c *course) play(w io.Writer, resume int) {
	fmt.Fprintln(w, c.title())
	order := rand.New(rand.NewPCG(c.seed, 5))
	var done []tournament.MatchResult
	var playing []tournament.Pairing
	s := stand{event: c.event, format: format.New(c.event), given: map[int]tournament.Pairing{}, listed: map[int]tournament.Pairing{}}
	for n := 0; ; n++ {
		last := 0
		if n > 0 {
			i := order.IntN(len(playing))
			last = playing[i].Match
			m := tournament.Matches(c.result(playing[i]))[0]
			m.Legs[0].Line, m.Legs[1].Line = 0, 0 // the recorded sprts counted repeats
			done = append(done, m)
			playing = slices.Delete(playing, i, i+1)
			s.add(done[n-1])
		}
		if n%resume == resume-1 {
			s.format, s.given = format.After(c.event, done), map[int]tournament.Pairing{}
		}
		now := s.write(w, last)
		for _, p := range now {
			if len(playing) < c.atOnce && !slices.Contains(playing, p) {
				playing = append(playing, p)
			}
		}
		if len(playing) == 0 || n == c.most {
			return
		}
	}
}

// stand is a format with its undecided matches. given has all matches that it has given out, and listed has the matches
// that could be played when it was last written.
type stand struct {
	event         tournament.Event
	format        tournament.Format
	given, listed map[int]tournament.Pairing
}

func (s *stand) add(m tournament.MatchResult) {
	s.format.Add(m)
	delete(s.given, m.Match)
}

// crosstable returns the rows of the crosstable.
func (s *stand) crosstable() any {
	table := report.NewCrosstable(s.event, s.format, nil)
	return struct {
		Standings []report.Standing `json:"standings"`
	}{table.Standings}
}

// write writes the state after the last match, and returns the pairings that can be played.
func (s *stand) write(w io.Writer, last int) (now []tournament.Pairing) {
	for p, ok := s.format.Next(tournament.Everyone{}); ok; p, ok = s.format.Next(tournament.Everyone{}) {
		s.given[p.Match] = p
	}
	fmt.Fprint(w, last)
	before := s.listed
	s.listed = map[int]tournament.Pairing{}
	for _, number := range slices.Sorted(maps.Keys(s.given)) {
		p := s.given[number]
		if s.format.SetAside().Of(p) != nil {
			continue
		}
		if now = append(now, p); before[number] != p {
			fmt.Fprintf(w, " +%d.%d.%d:%s-%s", p.Match, p.Round, p.Nth, p.First[1:], p.Second[1:])
		}
		s.listed[number] = p
	}
	total, standings := s.format.Total(), s.format.Standings()
	// The recorded brackets had their ties by rounds, not by the parts of the bracket.
	slices.SortStableFunc(standings.Ties, func(a, b tournament.Tie) int { return a.Round - b.Round })
	fmt.Fprintf(w, " =%d %s%d %s\n", len(now), total.Bound, total.Matches, checksum(standings, s.crosstable()))
	return now
}

// checksum returns a checksum of values as JSON.
func checksum(values ...any) string {
	sum := fnv.New32a()
	if err := json.NewEncoder(sum).Encode(values); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%08x", sum.Sum32())
}

// The pairings of every format equal the ones from the time when formats were pure functions of the
// decided matches; those formats wrote the file (docs/adr/0012-formats.md). That holds for any
// order of the matches' ends, and with strikes, joins and leaves. The standings of an sprt with
// strikes were recorded again when walkovers no longer decided its test, and those at the ends of ladders when they
// included the last matches; the pairings are the same.
func TestRecordedPairings(t *testing.T) {
	testkit.Long(t)
	for _, resume := range []int{3, 1000} {
		var got strings.Builder
		for _, c := range courses() {
			if err := format.Validate(c.event); err != nil {
				t.Fatal(err)
			}
			c.play(&got, resume)
		}
		wantRecorded(t, got.String(), resume)
	}
}

// A resumed placement continues as it would have without the interruption, with any bot set aside.
func TestPlacementsResume(t *testing.T) {
	for _, bots := range []int{2, 4, 7} {
		for i, strikes := range []tournament.Strikes{{}, {Faults: 2}, {Faults: 1, Games: tournament.VoidGames}} {
			e := tournament.Event{Name: "course", Size: rules.Size{Width: 3, Height: 2}, Matches: 30, Concurrency: 1}
			for b := range bots {
				e.Entries = append(e.Entries, tournament.Entry{Name: fmt.Sprint("b", b)})
			}
			e.Settings.Strikes, e.Settings.Plan = strikes, tournament.Plan{Kind: tournament.Placement, Ahead: 1 + 2*i}
			var whole, resumed strings.Builder
			for resume, w := range map[int]*strings.Builder{1000: &whole, 3: &resumed} {
				c := course{event: e, seed: uint64(10*bots + i), faults: 8, atOnce: 1 + i, most: 60}
				c.play(w, resume)
			}
			if whole.String() != resumed.String() {
				t.Errorf("%d bots, strikes %+v: resumed after every third match\n%s\nwant\n%s", bots, strikes, resumed.String(), whole.String())
			}
		}
	}
}

// wantRecorded compares the text with the recorded one.
func wantRecorded(t *testing.T, got string, resume int) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "pairings.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	want := bufio.NewScanner(unpacked)
	want.Buffer(nil, 1<<20)
	title := ""
	for i, line := range strings.Split(strings.TrimSpace(got), "\n") {
		if strings.Contains(line, "bots") {
			title = line
		}
		if !want.Scan() || want.Text() != line {
			t.Fatalf("%s, resumed every %d matches, line %d:\n%s\nwant\n%s", title, resume, i+1, line, want.Text())
		}
	}
	if want.Scan() {
		t.Errorf("after that the file has %s", want.Text())
	}
}
