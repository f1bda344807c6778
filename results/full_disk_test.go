//go:build linux

package results

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/fulldisk"
	"versus2048/internal/testkit"
	"versus2048/tournament"
)

// atEveryWrite calls do again and again, the first time with a disk that is full from the first
// write on, then from the second on, and so on, until do makes fewer writes. do gets the path of a
// database in a folder of its own. It fills the disk for that folder, except for room for some
// writes, and frees it again.
func atEveryWrite(t *testing.T, do func(disk *fulldisk.Disk, path string, room int)) {
	t.Helper()
	disk := fulldisk.New(t)
	n := 0
	for ; ; n++ {
		folder := inMemory(t)
		do(disk, filepath.Join(folder, "arena.db"), n)
		if t.Failed() {
			t.Fatalf("with room for %d writes", n)
		}
		if !disk.Refused() {
			break
		}
	}
	t.Logf("full at every one of %d writes", n)
	if n < 5 {
		t.Errorf("%d writes: SQLite does not write through the disk of this test", n)
	}
}

// inMemory returns a new folder in memory, where writing through to the disk costs nothing, if the
// system has such a place.
func inMemory(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "versus2048-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// wantFull fails unless err says in one line that the disk is full.
func wantFull(t *testing.T, err error) {
	t.Helper()
	if !noRoom(err) || !strings.Contains(err.Error(), "disk is full") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line that says that the disk is full", err)
	}
}

// If the disk is full at any write while games are played, the event fails. Everything recorded
// before is kept and correct, even while the disk is full, and the event can go on when there is
// room again.
func TestFullDiskWhilePlaying(t *testing.T) {
	testkit.Long(t)
	begun := filepath.Join(t.TempDir(), "arena.db")
	s, err := Open(t.Context(), begun)
	if err != nil {
		t.Fatal(err)
	}
	newDuel(t, s, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	atEveryWrite(t, func(disk *fulldisk.Disk, path string, room int) {
		backup(t, begun, path)
		disk.Fill(filepath.Dir(path), room)
		reported := map[int64]int{}
		if err := playShort(t.Context(), path, reported); disk.Refused() {
			if err != nil { // otherwise only the log could not be moved into the database
				wantFull(t, err)
			}
			wantKept(t, path, reported)
		} else if err != nil {
			t.Error(err)
		}
		disk.Free()
		if err := playShort(t.Context(), path, reported); err != nil {
			t.Error(err)
		}
		if finished := wantKept(t, path, reported); finished != 4 {
			t.Errorf("%d games are finished, want 4", finished)
		}
	})
}

// playShort plays the remaining games of a duel of two matches, in every way of writing them: games
// that are written once, games with plies written before, two games at once, an identity. It
// reports the number of plies on disk, -1 for a finished game.
func playShort(ctx context.Context, path string, reported map[int64]int) (err error) {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	j := s.Journal(1)
	if err := j.Identify(ctx, tournament.Identity{Name: "bob", Author: "somebody"}); err != nil {
		return err
	}
	over := map[[2]int]bool{}
	if err := j.Finished(ctx, func(r tournament.Result) error {
		over[[2]int{r.Match, r.Leg}] = true
		return nil
	}); err != nil {
		return err
	}
	for match := 1; match <= 2; match++ {
		for leg := 1; leg <= 2; leg++ {
			if over[[2]int{match, leg}] {
				continue
			}
			if err := playShortGame(ctx, j, duelGame(match, leg), reported); err != nil {
				return err
			}
		}
	}
	return nil
}

// playShortGame plays a game. Games of the second match are written while they are played.
func playShortGame(ctx context.Context, j *Journal, g tournament.Game, reported map[int64]int) error {
	g, err := j.Open(ctx, g)
	if err != nil {
		return err
	}
	for g.Match == 2 && len(g.Record.Moves) < 40 && err == nil {
		playOn(&g, j, 20)
		if err = j.Flush(ctx); err == nil {
			reported[g.ID] = len(g.Record.Moves)
		}
	}
	playOn(&g, j, -1)
	if err == nil {
		err = j.Finish(ctx, g)
	}
	if err == nil {
		reported[g.ID] = -1
	}
	return err
}

// A database that cannot be made because the disk is full is made once there is room.
func TestFullDiskWhileOpening(t *testing.T) {
	testkit.Long(t)
	atEveryWrite(t, func(disk *fulldisk.Disk, path string, room int) {
		disk.Fill(filepath.Dir(path), room)
		create := func() error {
			s, err := Open(t.Context(), path)
			if err == nil {
				_, err = s.CreateEvent(t.Context(), duel(1))
				err = errors.Join(err, s.Close())
			}
			return err
		}
		if err := create(); err != nil {
			wantFull(t, err)
		}
		disk.Free()
		if err := create(); err != nil {
			t.Error(err)
		}
	})
}

// A database that was deleted while it was played on is saved in the system's folder for temporary files
// if there is no room beside it, and if there is none anywhere the error says so. Half a file is never
// left.
func TestFullDiskWhileRescuing(t *testing.T) {
	testkit.Long(t)
	for name, everywhere := range map[string]bool{"beside the database": false, "everywhere": true} {
		t.Run(name, func(t *testing.T) {
			atEveryWrite(t, func(disk *fulldisk.Disk, path string, room int) {
				rescueOnFullDisk(t, disk, path, room, everywhere)
			})
		})
	}
}

func rescueOnFullDisk(t *testing.T, disk *fulldisk.Disk, path string, room int, everywhere bool) {
	t.Helper()
	temporary := filepath.Join(filepath.Dir(path), "temporary")
	if !everywhere {
		temporary = t.TempDir()
	}
	if err := os.MkdirAll(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temporary)
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	j := newDuel(t, s, 1)
	s.place.playing(j, true)
	recorded := finish(t, j, 1, 1)
	unwritten := open(t, j, duelGame(1, 2))
	playOn(&unwritten, j, -1)
	remove(t, path)
	disk.Fill(filepath.Dir(path), room)
	err = j.Finish(t.Context(), unwritten)
	disk.Free()
	var moved *MovedError
	switch {
	case !errors.As(err, &moved):
		t.Errorf("error %v, want a *MovedError", err)
	case moved.Rescued != "":
		wantRescued(t, moved.Rescued, recorded, unwritten)
	case !noRoom(err) || !strings.Contains(err.Error(), "could not be saved"):
		t.Errorf("error %v", err)
	}
	_ = os.Remove(moved.Rescued + ".lock") // which wantRescued has left
	rescued, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*rescued*.db*"))
	others, err2 := filepath.Glob(filepath.Join(temporary, "*rescued*.db*"))
	if n := len(rescued) + len(others); err != nil || err2 != nil || (n == 1) != (moved.Rescued != "") {
		t.Errorf("files %q and %q, rescued %q", rescued, others, moved.Rescued)
	}
	if !everywhere && moved.Rescued == "" {
		t.Errorf("not rescued where there is room: %v", moved)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A store is not writable while the disk is full, and is again once there is room.
func TestFullDiskIsNotWritable(t *testing.T) {
	disk, folder := fulldisk.New(t), inMemory(t)
	s, err := Open(t.Context(), filepath.Join(folder, "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	disk.Fill(folder, 0)
	wantFull(t, s.Writable(t.Context()))
	disk.Free()
	if err := s.Writable(t.Context()); err != nil {
		t.Error(err)
	}
}
