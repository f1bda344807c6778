//go:build unix

package disk_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"versus2048/internal/disk"
)

// openFile is a variable in the environment of a process that writes to a file that is open already: its path.
const openFile = "VERSUS2048_TEST_OPEN"

// writeBetween writes to the path between two lines to the standard output and error.
func writeBetween(path string) {
	line := func(text string) error {
		_, err := os.Stdout.WriteString(text)
		_, failure := os.Stderr.WriteString(text)
		return errors.Join(err, failure)
	}
	if err := errors.Join(line("1\n"), disk.Check(path, false), disk.Write(path, false, text("2\n")), line("3\n")); err != nil {
		panic(err)
	}
}

// A file that the shell has opened for the process is written to as it is, also if it is a regular file.
func TestOpenFiles(t *testing.T) {
	const lines, between = "0\n1\n3\n", "0\n1\n2\n3\n"
	tests := map[string][3]string{ // the content of standard output, standard error and the third file in the end
		"/dev/stdout": {between, lines, "0\n"},
		"/dev/fd/1":   {between, lines, "0\n"},
		"/dev/stderr": {lines, between, "0\n"},
		"/dev/fd/3":   {lines, lines, "0\n2\n"},
	}
	if runtime.GOOS == "linux" {
		tests["/proc/self/fd/1"] = tests["/dev/stdout"]
	}
	for path, want := range tests {
		files := openFiles(t)
		writer := exec.CommandContext(t.Context(), os.Args[0])
		writer.Env = append(os.Environ(), openFile+"="+path)
		writer.Stdout, writer.Stderr, writer.ExtraFiles = files[0], files[1], files[2:]
		if err := writer.Run(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for i, f := range files {
			if got, err := os.ReadFile(f.Name()); err != nil || string(got) != want[i] {
				t.Errorf("%s: file %d has %q (%v), want %q", path, i+1, got, err, want[i])
			}
		}
	}
}

// openFiles returns three files, at the end of their first line.
func openFiles(t *testing.T) (files []*os.File) {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"stdout", "stderr", "third"} {
		f, err := os.Create(filepath.Join(folder, name))
		if err == nil {
			_, err = f.WriteString("0\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		files = append(files, f)
	}
	return files
}
