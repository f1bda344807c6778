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
		path := "/docs/" + strings.TrimSuffix(file, ".md")
		if file != "README.md" && !strings.Contains(index, `href="`+path+`"`) {
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
	for _, path := range []string{"/docs/nothing", "/docs/nothing.md", "/docs/adr"} {
		if status, text := h.get(path); status != http.StatusNotFound || !strings.Contains(text, "There is no document") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}

// The file llms.txt, in the form of https://llmstxt.org, leads agents to the Markdown of each document. All its other
// links work, too.
func TestLLMs(t *testing.T) {
	h := open(t)
	status, list := h.get("/llms.txt")
	head := regexp.MustCompile(`^# versus 2048\n\n> \S[^\n]+\n\nThis is an arena\.[^\n]+ at ws://127\.0\.0\.1:\d+/bot\. [^\n]+\n`)
	if status != http.StatusOK || !head.MatchString(list) {
		t.Fatalf("/llms.txt: %d\n%s", status, list)
	}
	link, linked := regexp.MustCompile(`^- \[[^]]+\]\(`+regexp.QuoteMeta(h.URL())+`(/[^)]+)\): .*[^ .:]$`), map[string]bool{}
	for line := range strings.Lines(head.ReplaceAllString(list, "")) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "## ") {
			continue
		}
		found := link.FindStringSubmatch(line)
		if found == nil {
			t.Fatalf("not in the form: %q", line)
		}
		linked[found[1]] = true
		if status, _ := h.get(found[1]); status != http.StatusOK {
			t.Errorf("%s: %d", found[1], status)
		}
	}
	files, err := fs.Glob(docs.Files, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := docs.Files.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, text := h.get("/docs/" + file); text != string(source) || file != "README.md" && !linked["/docs/"+file] {
			t.Errorf("/docs/%s is not the document, or not in the list", file)
		}
	}
}

// The address /api redirects to its description.
func TestAPILeadsToItsDocument(t *testing.T) {
	h := open(t)
	if status, _ := h.get("/api"); status != http.StatusSeeOther {
		t.Errorf("/api: %d", status)
	}
	if status, text := h.get("/docs/API"); status != http.StatusOK || !strings.Contains(text, "live_search") {
		t.Errorf("its document: %d", status)
	}
}
