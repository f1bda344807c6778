package gate

import (
	"os"
	"path/filepath"
	"testing"

	"versus2048/internal/testkit"
)

// FuzzOperatorFile reads a file that somebody has put in the place of an operator's file: a secret that is read is not
// empty, and the path is the file's own.
func FuzzOperatorFile(f *testing.F) {
	f.Add([]byte(`{"secret":"abc","path":"/elsewhere"}`))
	f.Add([]byte(`{"Secret":""}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "arena.db"+OperatorSuffix)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		testkit.CheckAllocation(t, len(text), 64, func() {
			if file, err := ReadOperatorFile(path); err == nil && (file.Secret == "" || file.Path != path) {
				t.Errorf("%s is read as %+v", text, file)
			}
		})
	})
}
