package web_test

import (
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"versus2048/docs"
)

// Every document is a page, and every link between them leads to a page and a heading of it.
func TestDocuments(t *testing.T) {
	h := open(t)
	pages := map[string]string{}
	page := func(path string) string {
		if _, known := pages[path]; !known {
			status, text := h.get(path)
			if status != http.StatusOK {
				t.Errorf("%s: %d", path, status)
			}
			pages[path] = text
		}
		return pages[path]
	}
	files, err := fs.Glob(docs.Files, "*.md")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	outside := regexp.MustCompile(`href="\.\./|src="[^/]`)
	index, links := page("/docs"), regexp.MustCompile(`(?:href|src)="(/docs/[^"#]*)?(?:#([^"]*))?"`)
	for _, file := range files {
		path := "/docs/" + file
		if !strings.Contains(index, `href="`+path+`"`) {
			t.Errorf("%s is not in the list", file)
		}
		_, text, _ := strings.Cut(page(path), `<article class="doc">`)
		if strings.Contains(text, "not run:") {
			t.Errorf("%s shows the marks of commands that no test runs", path)
		}
		if strings.Contains(text, "style=") || outside.MatchString(text) {
			t.Errorf("%s has styles, or links or pictures that lead outside", path)
		}
		for _, link := range links.FindAllStringSubmatch(text, -1) {
			to := path
			if link[1] != "" {
				to = link[1]
			}
			if target := page(to); link[2] != "" && !strings.Contains(target, `id="`+link[2]+`"`) {
				t.Errorf("%s links to %s#%s, which is no heading", path, to, link[2])
			}
		}
	}
	if status, _ := h.get("/docs/../../etc/passwd"); status == http.StatusOK {
		t.Error("a document outside")
	}
	if status, text := h.get("/docs/nothing"); status != http.StatusNotFound || !strings.Contains(text, "There is no document") {
		t.Errorf("no such document: %d %s", status, text)
	}
}

// The address /api redirects to its description.
func TestAPILeadsToItsDocument(t *testing.T) {
	h := open(t)
	if status, _ := h.get("/api"); status != http.StatusSeeOther {
		t.Errorf("/api: %d", status)
	}
	if status, text := h.get("/docs/API.md"); status != http.StatusOK || !strings.Contains(text, "live_search") {
		t.Errorf("its document: %d", status)
	}
}
