package web

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"versus2048/docs"
	"versus2048/internal/server"
	"versus2048/internal/web/templates"
)

// Each link from a page to a document leads to an existing one.
func TestLinksToDocuments(t *testing.T) {
	link, found := regexp.MustCompile(`href="/docs/([^"#]+)`), 0
	err := fs.WalkDir(templates.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := templates.Files.ReadFile(name)
		for _, to := range link.FindAllStringSubmatch(string(text), -1) {
			if found++; !strings.Contains(to[1], "{{") {
				file := to[1]
				if path.Ext(file) == "" {
					file += ".md"
				}
				if _, missing := fs.Stat(docs.Files, file); missing != nil {
					t.Errorf("%s links to /docs/%s: %v", name, to[1], missing)
				}
			}
		}
		return err
	})
	if err != nil || found < 5 {
		t.Errorf("%d links (%v)", found, err)
	}
}

// The page of workers shows the delay of their timers in milliseconds, and nothing for workers without a delay.
func TestLatenessOfWorkers(t *testing.T) {
	static, err := newStatic()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := parsePages(static)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	workers := workersPage{Workers: []server.Worker{{Name: "late", Late: server.Millis(12 * time.Millisecond)}, {Name: "odd", Aside: "it plays otherwise"}}}
	if err := pages["workers"].ExecuteTemplate(&page, "main", view{Body: workers}); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); !strings.Contains(text, `<td class="n">12 ms</td></tr>`) || !strings.Contains(text, `<td class="n"></td></tr>`) {
		t.Error(text)
	}
}
