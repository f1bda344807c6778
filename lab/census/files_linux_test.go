package census

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// openFiles returns the files of a folder that this process has open.
func openFiles(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if path, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name())); err == nil && strings.HasPrefix(path, folder) {
			names = append(names, filepath.Base(path))
		}
	}
	return names
}

// A census that is interrupted at any step closes its files.
func TestFilesAreClosed(t *testing.T) {
	for _, asked := range []int64{1, 100, 300, 400, 430, 1 << 40} {
		s := keptCensus(t.TempDir())
		s.Workers, s.Defenders = 1, true
		c := newCensus(s)
		c.blocks, c.config.Memory = blocks{limit: 6, ranks: 1 << 11}, 1<<12
		c.workers[0] = newWorker(1 << 11)
		ctx := testkit.NewCountdown(t.Context(), asked)
		if _, err := c.run(ctx); (err != nil) != ctx.Ended() {
			t.Errorf("ended after %d steps: error %v", asked, err)
		}
		if files := openFiles(t, s.Folder); !slices.Equal(files, []string{lockName}) {
			t.Errorf("ended after %d steps: open are %q", asked, files)
		}
		if err := c.folder.close(); err != nil {
			t.Fatal(err)
		}
	}
}
