package results

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// victimDatabase is set in the environment of the process that is killed. The process plays the
// first event of this database.
const victimDatabase = "VERSUS2048_TEST_DATABASE"

const killMatches = 40

// TestKill kills a process that plays an event at random moments. Everything that it has reported to
// be on disk must be there.
func TestKill(t *testing.T) {
	testkit.Long(t)
	path := filepath.Join(t.TempDir(), "arena.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	newDuel(t, s, killMatches)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(20, 48))
	reported := map[int64]int{} // plies kept, by game; -1 once it is finished
	for range 8 {
		runVictim(t, path, 1+random.IntN(40), reported)
		wantKept(t, path, reported)
	}
	runVictim(t, path, 0, reported)
	if finished := wantKept(t, path, reported); finished != 2*killMatches {
		t.Errorf("%d games are finished, want %d", finished, 2*killMatches)
	}
}

// runVictim starts the process, kills it after a number of reports (0 to let it finish), and
// collects the reports.
func runVictim(t *testing.T, path string, life int, reported map[int64]int) {
	t.Helper()
	victim := exec.CommandContext(t.Context(), os.Args[0])
	victim.Env = append(os.Environ(), victimDatabase+"="+path)
	victim.Stderr = os.Stderr
	output, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for read := bufio.NewScanner(output); read.Scan(); {
		var id int64
		var kept int
		if _, err := fmt.Sscan(read.Text(), &id, &kept); err != nil {
			t.Fatalf("%q: %v", read.Text(), err)
		}
		reported[id] = kept
		if lines++; lines == life {
			if err := victim.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := victim.Wait(); err != nil && (life == 0 || lines < life) { // it may have been done before it was killed
		t.Fatalf("after %d lines the process ended with %v, to be killed after %d", lines, err, life)
	}
}

// wantKept fails unless everything that was reported is in the database, and the database has
// exactly the moves that were played. It returns the number of finished games.
func wantKept(t *testing.T, path string, reported map[int64]int) (finished int) {
	t.Helper()
	s, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	stored := map[int64]bool{}
	once := map[[2]int]bool{}
	err = s.Games(t.Context(), Filter{Searches: true}, func(g Stored) error {
		stored[g.ID] = true
		once[[2]int{g.Match, g.Leg}] = true
		wantPlayed(t, &g, reported[g.ID])
		return nil
	})
	if err != nil || len(once) != len(stored) {
		t.Errorf("%d games for %d legs, error %v", len(stored), len(once), err)
	}
	for id := range reported {
		if !stored[id] {
			t.Errorf("game %d is lost", id)
		}
	}
	v, err := s.Verify(t.Context(), Filter{}, failOn(t))
	if err != nil {
		t.Error(err)
	}
	return v.Games
}

func wantPlayed(t *testing.T, g *Stored, kept int) {
	t.Helper()
	whole := duelGame(g.Match, g.Leg)
	playOn(&whole, nil, -1)
	played, finished := len(g.Record.Moves), g.Record.Ending == record.Mate
	switch {
	case kept == -1 && !finished, played < kept:
		t.Errorf("game %d has %d plies, ending %s: it was kept up to %d", g.ID, played, g.Record.Ending, kept)
	case finished && played != len(whole.Record.Moves), !slices.Equal(g.Record.Moves, whole.Record.Moves[:played]):
		t.Errorf("game %d: moves %v, want the first of %v", g.ID, g.Record.Moves, whole.Record.Moves)
	}
	again := duelGame(g.Match, g.Leg)
	playOn(&again, nil, played)
	if !reflect.DeepEqual(g.Record.Searches, again.Record.Searches) {
		t.Errorf("game %d: %d search reports, want %d as they were", g.ID, len(g.Record.Searches), len(again.Record.Searches))
	}
	if !slices.Equal(g.Record.Pauses, again.Record.Pauses) || !slices.Equal(g.Record.Times, again.Record.Times) {
		t.Errorf("game %d: times and pauses %v, want them as they were: %v", g.ID, g.Record.Pauses, again.Record.Pauses)
	}
}

// playToTheEnd plays the remaining games of the database's first event, and reports the plies and
// games on disk.
func playToTheEnd(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	j := s.Journal(1)
	writing, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- j.Run(writing) }()
	err = playRemaining(ctx, j)
	stop()
	return errors.Join(err, <-ended, s.Close())
}

// playRemaining plays the remaining games, four at once.
func playRemaining(ctx context.Context, j *Journal) error {
	var done []tournament.Result
	if err := j.Finished(ctx, func(r tournament.Result) error {
		done = append(done, r)
		return nil
	}); err != nil {
		return err
	}
	games := make(chan tournament.Game, 2*killMatches)
	for match := range killMatches {
		for leg := range 2 {
			g := duelGame(match+1, leg+1)
			if !slices.ContainsFunc(done, func(d tournament.Result) bool { return d.Match == g.Match && d.Leg == g.Leg }) {
				games <- g
			}
		}
	}
	close(games)
	failures := make([]error, 4)
	var workers sync.WaitGroup
	for i := range failures {
		workers.Go(func() {
			for g := range games {
				failures[i] = errors.Join(failures[i], playAndReport(ctx, j, g))
			}
		})
	}
	workers.Wait()
	return errors.Join(failures...)
}

// playAndReport plays a game and prints how many plies are on disk, at the end -1.
func playAndReport(ctx context.Context, j *Journal, g tournament.Game) error {
	g, err := j.Open(ctx, g)
	if err != nil {
		return err
	}
	for g.Record.Ending == record.Unfinished {
		playOn(&g, j, 17)
		if g.Record.Ending != record.Unfinished {
			break
		}
		if err := j.Flush(ctx); err != nil {
			return err
		}
		fmt.Println(g.ID, len(g.Record.Moves))
	}
	if err := j.Finish(ctx, g); err != nil {
		return err
	}
	_, err = fmt.Println(g.ID, -1)
	return err
}
