package deploy_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"versus2048/deploy"
)

// The guide names every file.
func TestFilesStandInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../docs/HOSTING.md")
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(deploy.Files, "*")
	if err != nil || len(names) == 0 {
		t.Fatalf("files %v: %v", names, err)
	}
	for _, name := range names {
		if !strings.Contains(string(guide), "deploy/"+name) {
			t.Errorf("docs/HOSTING.md does not name deploy/%s", name)
		}
	}
}

// The proxies reach the arena where it listens by default, under the name that the guide uses.
func TestProxiesReachTheArena(t *testing.T) {
	for _, name := range []string{"nginx.conf", "Caddyfile"} {
		for _, want := range []string{"127.0.0.1:2048", "arena.example.org"} {
			if !strings.Contains(file(t, name), want) {
				t.Errorf("deploy/%s does not have %s", name, want)
			}
		}
	}
}

// file returns the text of an example.
func file(t *testing.T, name string) string {
	t.Helper()
	text, err := deploy.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
