package farm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// killedFetch is a variable in the environment of a process that fetches a file and never ends. Its value is the folder
// for the file.
const killedFetch = "VERSUS2048_TEST_FETCH"

func TestMain(m *testing.M) {
	folder := os.Getenv(killedFetch)
	if folder == "" {
		os.Exit(m.Run())
	}
	c := Cache{Folder: folder, Most: 100}
	err := c.open()
	if err == nil {
		_, _, err = c.take(context.Background(), fileOf("whole"), func(_ context.Context, _ File, to *os.File) error {
			if _, err := to.WriteString("who"); err != nil {
				return err
			}
			os.Stdout.WriteString("fetching\n")
			<-time.After(time.Hour) // to wait for nothing ends a program without C
			return nil
		})
	}
	panic(err)
}

// fileOf returns the file with a content.
func fileOf(content string) File {
	sum := sha256.Sum256([]byte(content))
	return File{Name: content[:min(len(content), 5)], Sum: hex.EncodeToString(sum[:]), Size: int64(len(content))}
}

// source fetches files from its contents, and counts them.
type source struct {
	contents []string
	fetched  atomic.Int32
}

func (s *source) fetch(_ context.Context, f File, to *os.File) error {
	s.fetched.Add(1)
	for _, content := range s.contents {
		if fileOf(content) == f {
			_, err := to.WriteString(content)
			return err
		}
	}
	return errOtherFile
}

func newCache(t *testing.T, folder string, most int64) *Cache {
	t.Helper()
	c := &Cache{Folder: folder, Most: most}
	if err := c.open(); err != nil {
		t.Fatal(err)
	}
	return c
}

// take takes a file from a cache and reads it.
func take(t *testing.T, c *Cache, s *source, content string) (path string, release func()) {
	t.Helper()
	path, release, err := c.take(t.Context(), fileOf(content), s.fetch)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != content {
		t.Fatalf("the file %q has %q, %v", content, got, err)
	}
	return path, release
}

// contentsOf returns the contents of the files in a cache's folder.
func contentsOf(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if sumPattern.MatchString(entry.Name()) {
			content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(content))
		}
	}
	slices.Sort(all)
	return all
}

// Games of one worker and of several that share a folder fetch a file once, also when they begin at the same time.
func TestFileIsFetchedOnce(t *testing.T) {
	s, folder := &source{contents: []string{"table"}}, t.TempDir()
	var all sync.WaitGroup
	for range 3 {
		c := newCache(t, folder, 100)
		for range 4 {
			all.Go(func() {
				path, release, err := c.take(t.Context(), fileOf("table"), s.fetch)
				if err != nil {
					t.Error(err)
					return
				}
				defer release()
				if got, err := os.ReadFile(path); err != nil || string(got) != "table" {
					t.Errorf("%q, %v", got, err)
				}
			})
		}
	}
	all.Wait()
	if n := s.fetched.Load(); n != 1 {
		t.Errorf("it was fetched %d times", n)
	}
}

// A lock counts only while its file has its name: other workers lock the file that has the name.
func TestLockOfRemovedFile(t *testing.T) {
	c := newCache(t, t.TempDir(), 100)
	path := filepath.Join(c.Folder, fileOf("table").Sum)
	old, err := c.use(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if !inPlace(old) {
		t.Error("a new lock is not in its place")
	}
	if err := os.Rename(path+useSuffix, path); err != nil {
		t.Fatal(err)
	}
	if inPlace(old) {
		t.Error("the lock of a file without its name is in its place")
	}
	present, err := c.use(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer present.Close()
	if inPlace(old) || !inPlace(present) {
		t.Error("the lock of an earlier file is in its place, or the lock of the present one is not")
	}
}

// A file that was damaged on the worker's disk is fetched again: by the next process in all cases, and by this one if
// the file is shorter, gone, or a bot could not be made of it.
func TestDamagedFileIsFetchedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(path string) error
		doubt  bool
		want   int32 // fetches by the process that has fetched it before
	}{
		"whole":   {func(string) error { return nil }, true, 0},
		"changed": {func(path string) error { return os.WriteFile(path, []byte("tabel"), 0o600) }, false, 0},
		"doubted": {func(path string) error { return os.WriteFile(path, []byte("tabel"), 0o600) }, true, 1},
		"shorter": {func(path string) error { return os.WriteFile(path, []byte("tab"), 0o600) }, false, 1},
		"gone":    {os.Remove, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s, folder := &source{contents: []string{"table"}}, t.TempDir()
			same := newCache(t, folder, 100)
			path, release := take(t, same, s, "table")
			release()
			if err := c.damage(path); err != nil {
				t.Fatal(err)
			}
			if c.doubt {
				same.doubt(fileOf("table"))
			}
			s.fetched.Store(0)
			_, release, err := same.take(t.Context(), fileOf("table"), s.fetch)
			if err != nil || s.fetched.Load() != c.want {
				t.Fatalf("the same process fetches it %d times, want %d: %v", s.fetched.Load(), c.want, err)
			}
			release()
			_, release = take(t, newCache(t, folder, 100), s, "table")
			release()
		})
	}
}

// The files that were used the longest time ago leave, but never a file that any of the workers uses.
func TestCacheIsBounded(t *testing.T) {
	s, folder := &source{contents: []string{"aaaa", "bbbb", "cccc", "dddd", "eeee"}}, t.TempDir()
	one, two := newCache(t, folder, 12), newCache(t, folder, 12)
	_, releaseA := take(t, two, s, "aaaa") // the oldest
	age(t, folder, "aaaa", 3*time.Hour)
	for i, content := range []string{"bbbb", "cccc"} {
		_, release := take(t, one, s, content)
		release()
		age(t, folder, content, time.Duration(2-i)*time.Hour)
	}
	_, releaseB := take(t, one, s, "bbbb") // now the youngest
	releaseB()
	_, releaseD := take(t, one, s, "dddd")
	if got := contentsOf(t, folder); !reflect.DeepEqual(got, []string{"aaaa", "bbbb", "dddd"}) {
		t.Errorf("after dddd: %v", got)
	}
	releaseA()
	_, releaseE := take(t, two, s, "eeee")
	if got := contentsOf(t, folder); !reflect.DeepEqual(got, []string{"bbbb", "dddd", "eeee"}) {
		t.Errorf("after eeee: %v", got)
	}
	small := newCache(t, folder, 1)
	_, releaseA = take(t, small, s, "aaaa")
	if got := contentsOf(t, folder); !reflect.DeepEqual(got, []string{"aaaa", "dddd", "eeee"}) {
		t.Errorf("with a bound below what is in use: %v", got)
	}
	for _, release := range []func(){releaseA, releaseD, releaseE} {
		release()
	}
}

// age says that a file was used so long ago.
func age(t *testing.T, folder, content string, ago time.Duration) {
	t.Helper()
	then := time.Now().Add(-ago)
	if err := os.Chtimes(filepath.Join(folder, fileOf(content).Sum), then, then); err != nil {
		t.Fatal(err)
	}
}

// The unfinished file of a worker that was killed is not taken for the complete one, and is removed when the
// next worker starts. The unfinished file of a running worker stays.
func TestKilledFetch(t *testing.T) {
	folder := t.TempDir()
	killed := exec.CommandContext(t.Context(), os.Args[0])
	killed.Env = append(os.Environ(), killedFetch+"="+folder)
	out, err := killed.StdoutPipe()
	if err == nil {
		err = killed.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(folder, partName)
	newCache(t, folder, 100)
	if content, err := os.ReadFile(part); err != nil || string(content) != "who" {
		t.Errorf("while it is fetched the part is %q, %v", content, err)
	}
	_ = killed.Process.Kill()
	_ = killed.Wait() // it was killed
	c := newCache(t, folder, 100)
	if _, err := os.Stat(part); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after its process was killed the part is there: %v", err)
	}
	s := &source{contents: []string{"whole"}}
	_, release := take(t, c, s, "whole")
	release()
}

// Nothing but the right content gets a file's name, and no task names a path of this machine.
func TestWrongFiles(t *testing.T) {
	folder := t.TempDir()
	c := newCache(t, folder, 100)
	path, release := take(t, c, &source{contents: []string{"table"}}, "table")
	release()
	for name, wrong := range map[string]struct {
		file    File
		fetched int32
	}{
		"another":  {fileOf("other"), 1},
		"up":       {File{Name: "up", Sum: "../" + filepath.Base(path)[3:], Size: 5}, 0},
		"absolute": {File{Name: "absolute", Sum: "/etc/passwd", Size: 5}, 0},
		"negative": {File{Name: "negative", Sum: fileOf("table").Sum, Size: -1}, 0},
	} {
		s := new(source)
		if got, _, err := c.take(t.Context(), wrong.file, s.fetch); err == nil || got != "" || s.fetched.Load() != wrong.fetched {
			t.Errorf("%s: %q after %d fetches, %v", name, got, s.fetched.Load(), err)
		}
	}
	if got := contentsOf(t, folder); !reflect.DeepEqual(got, []string{"table"}) {
		t.Errorf("the folder has %v", got)
	}
	if err := (&Cache{Folder: filepath.Join(folder, "a,b")}).open(); err == nil || !strings.Contains(err.Error(), "comma") {
		t.Errorf("a folder that no spec can name: %v", err)
	}
	if err := (&Cache{Folder: path}).open(); err == nil {
		t.Error("a file is no folder")
	}
	without := newCache(t, "", 0)
	if _, _, err := without.take(t.Context(), fileOf("table"), new(source).fetch); !errors.Is(err, errNoCache) {
		t.Errorf("without a folder: %v", err)
	}
}

// A content is taken to its end, and no byte more.
func TestMeasured(t *testing.T) {
	var out bytes.Buffer
	m := &measured{&out, sha256.New(), 5}
	if _, err := m.Write([]byte("tab")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Write([]byte("les")); !errors.Is(err, errOtherFile) || out.String() != "tab" {
		t.Errorf("too long: %v, %q", err, out.String())
	}
	if _, err := m.Write([]byte("le")); err != nil || m.left != 0 || hex.EncodeToString(m.hash.Sum(nil)) != fileOf("table").Sum {
		t.Errorf("to its end: %v, %d left", err, m.left)
	}
}
