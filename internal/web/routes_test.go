package web_test

import (
	"log/slog"
	"maps"
	"path/filepath"
	"regexp"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/internal/web"
	"versus2048/results"
)

// The table of docs/SECURITY.md and the routes of the pages are the same.
func TestRoutesAreDocumented(t *testing.T) {
	section := testkit.Section(testkit.ReadDocument(t, "../../docs/SECURITY.md"), "### Routes of the pages")
	documented := map[string]server.Right{}
	for _, row := range regexp.MustCompile("(?m)^\\| `((?:GET|POST|DELETE) [^`]*)` \\| (\\w+) \\|").FindAllStringSubmatch(section, -1) {
		documented[row[1]] = server.Right(row[2])
	}
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	log := slog.New(slog.DiscardHandler)
	arena := server.New(server.Config{Store: store, Tokens: store.Tokens(), Log: log})
	site, err := web.New(web.Config{Store: store, Arena: arena, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]server.Right{}
	for _, r := range site.Routes() {
		served[r.Pattern] = r.Right
	}
	if !maps.Equal(documented, served) {
		t.Errorf("docs/SECURITY.md has the routes %v, the site %v", documented, served)
	}
}
