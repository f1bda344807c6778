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

	"versus2048/rules/record"
	"versus2048/tournament"
)

// victimDatabase is set for the process that is killed: it plays the first
// event of this database.
const victimDatabase = "VERSUS2048_TEST_DATABASE"

const killMatches = 40

// TestKill kills a process that plays an event at random moments. What it has
// said to be on disk by then must be there.
func TestKill(t *testing.T) {
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
	said := map[int64]int{} // plies kept, by game; -1 once it is finished
	for range 8 {
		runVictim(t, path, 1+random.IntN(40), said)
		wantKept(t, path, said)
	}
	runVictim(t, path, 0, said)
	if finished := wantKept(t, path, said); finished != 2*killMatches {
		t.Errorf("%d games are finished, want %d", finished, 2*killMatches)
	}
}

// runVictim starts the process, kills it when it has said so many things (0 to
// let it live), and notes all that it said.
func runVictim(t *testing.T, path string, life int, said map[int64]int) {
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
		said[id] = kept
		if lines++; lines == life {
			if err := victim.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := victim.Wait(); (err != nil) != (life > 0) {
		t.Fatalf("after %d lines the process ended with %v, to be killed after %d", lines, err, life)
	}
}

// wantKept fails unless all that was said is in the database, and what is in
// the database is what must have been played. It returns the number of finished
// games.
func wantKept(t *testing.T, path string, said map[int64]int) (finished int) {
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
		wantPlayed(t, &g, said[g.ID])
		return nil
	})
	if err != nil || len(once) != len(stored) {
		t.Errorf("%d games for %d legs, error %v", len(stored), len(once), err)
	}
	for id := range said {
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
		t.Errorf("game %d: moves %v, want those of %v", g.ID, g.Record.Moves, whole.Record.Moves)
	}
	again := duelGame(g.Match, g.Leg)
	playOn(&again, nil, played)
	if !reflect.DeepEqual(g.Record.Searches, again.Record.Searches) {
		t.Errorf("game %d: %d search reports, want %d as they were", g.ID, len(g.Record.Searches), len(again.Record.Searches))
	}
}

// playToTheEnd plays what is left of the database's first event, and says what
// is on disk.
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
	err = playLeft(ctx, j)
	stop()
	return errors.Join(err, <-ended, s.Close())
}

// playLeft plays the games that are left, four at once.
func playLeft(ctx context.Context, j *Journal) error {
	done, err := j.Finished(ctx)
	if err != nil {
		return err
	}
	games := make(chan tournament.Game, 2*killMatches)
	for match := range killMatches {
		for leg := range 2 {
			g := duelGame(match+1, leg+1)
			if !slices.ContainsFunc(done, func(d tournament.Game) bool { return d.Match == g.Match && d.Leg == g.Leg }) {
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
				failures[i] = errors.Join(failures[i], playAndSay(ctx, j, g))
			}
		})
	}
	workers.Wait()
	return errors.Join(failures...)
}

// playAndSay plays a game and says how far it is on disk, then -1.
func playAndSay(ctx context.Context, j *Journal, g tournament.Game) error {
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
