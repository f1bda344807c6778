package web

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"versus2048/docs"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/welcome"
)

// documents are the pages of the documents in docs.
type documents struct {
	pages *pages
	made  sync.Map // as template.HTML by file, each made at the first request
}

// showAPI redirects to the description of the interface for programs.
func showAPI(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, "/docs/API.md", http.StatusSeeOther)
	return nil
}

// documentLink is a document in the list.
type documentLink struct{ File, Title string }

// readers are the groups of the list of documents, each with the documents for one kind of reader.
var readers = []struct {
	Title string
	Files []string
}{
	{"Write a bot", []string{"BOTS.md", "PROTOCOL.md", "STDIO.md", "CHECKS.md", "GO.md"}},
	{"Hold a tournament", []string{"tournaments.md", "EVENTS.md", "RATINGS.md", "FARM.md"}},
	{"Run a server", []string{"HOSTING.md", "SECURITY.md", "METRICS.md", "WEBHOOKS.md", "API.md"}},
	{"Study the game", []string{"analysis.md", "strength.md", "research.md", "experiments.md", "learning.md", "PROOFS.md"}},
	{"Formats of files", []string{"RECORDS.md", "DATABASE.md", "PARQUET.md", "NETWORKS.md"}},
	{"Change the program", []string{"ARCHITECTURE.md", "performance.md"}},
}

// documentGroup is a group of the list with the titles of its documents.
type documentGroup struct {
	Title     string
	Documents []documentLink
}

func (d *documents) list(w http.ResponseWriter, r *http.Request) error {
	var groups []documentGroup
	for _, reader := range readers {
		g := documentGroup{Title: reader.Title}
		for _, file := range reader.Files {
			g.Documents = append(g.Documents, documentLink{file, documentTitle(file)})
		}
		groups = append(groups, g)
	}
	return d.pages.show(w, r, "docs", view{Title: "Documents", Section: "docs", Body: groups})
}

// documentTitle returns the first heading of a document, or its file's name.
func documentTitle(file string) string {
	source, err := docs.Files.ReadFile(file)
	if err != nil {
		return file
	}
	line, _, _ := strings.Cut(string(source), "\n")
	return strings.TrimPrefix(line, "# ")
}

// show shows a document as a page, and sends the pictures and programs beside it as they are.
func (d *documents) show(w http.ResponseWriter, r *http.Request) error {
	file := r.PathValue("file")
	source, err := docs.Files.ReadFile(file)
	if err != nil && path.Ext(file) == "" {
		file += ".md"
		source, err = docs.Files.ReadFile(file)
	}
	if err != nil {
		return notFound(fmt.Sprintf("There is no document %.60q", file), "The list of documents is at /docs.")
	}
	switch path.Ext(file) {
	case ".md":
	case ".svg":
		return send(w, r, http.StatusOK, "image/svg+xml", source)
	default:
		return send(w, r, http.StatusOK, "text/plain; charset=utf-8", source)
	}
	content, err := d.html(file, source)
	if err != nil {
		return err
	}
	return d.pages.show(w, r, "document", view{Title: documentTitle(file), Section: "docs", Body: content})
}

// html returns a document in HTML. Each document is converted once.
func (d *documents) html(file string, source []byte) (template.HTML, error) {
	if made, ok := d.made.Load(file); ok {
		return made.(template.HTML), nil
	}
	var body bytes.Buffer
	if err := documentFormat(path.Dir(file)).Convert(source, &body); err != nil {
		return "", fmt.Errorf("the document %s: %w", file, err)
	}
	// Long lines of code scroll, also by keys.
	text := strings.ReplaceAll(body.String(), "<pre>", `<pre tabindex="0">`)
	content := template.HTML(text) // #nosec G203 -- made from the documents of this program; goldmark leaves out HTML in them
	d.made.Store(file, content)
	return content, nil
}

// documentFormat converts Markdown of a folder to HTML. Cells of tables are aligned by attributes: the pages' policy
// forbids styles in them.
func documentFormat(folder string) goldmark.Markdown {
	tables := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return goldmark.New(
		goldmark.WithExtensions(tables, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(links{folder}, 100))),
	)
}

// links makes the links of a document lead to the pages of other documents.
type links struct{ folder string }

// Transform implements parser.ASTTransformer.
func (l links) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	var outside []*ast.Link
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			if to, ok := l.page(string(n.Destination)); ok {
				n.Destination = []byte(to)
			} else if entering {
				outside = append(outside, n)
			}
		case *ast.Image:
			if to, ok := l.page(string(n.Destination)); ok {
				n.Destination = []byte(to)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, link := range outside { // the arena has no source code: of links to it only the text stays
		parent := link.Parent()
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			parent.InsertBefore(parent, link, child)
		}
		parent.RemoveChild(parent, link)
	}
}

// page returns the address of a link's target, and whether the target is on the arena or elsewhere on the web.
func (l links) page(to string) (string, bool) {
	if strings.HasPrefix(to, "#") || strings.HasPrefix(to, "/") || strings.Contains(to, "://") {
		return to, true
	}
	file, anchor, hasAnchor := strings.Cut(to, "#")
	file = path.Join(l.folder, file)
	if _, err := fs.Stat(docs.Files, file); err != nil {
		return "", false
	}
	if hasAnchor {
		return "/docs/" + file + "#" + anchor, true
	}
	return "/docs/" + file, true
}

// rulesPage is the page of the rules.
type rulesPage struct {
	Lessons []lesson
	Levels  []welcome.Level
}

// lesson is an example of a rule with its board.
type lesson struct{ welcome.Lesson }

// Board is the board before the first move.
func (l lesson) Board() analysis.Board { return analysis.NewBoard(l.Start, nil) }

func (d *documents) showRules(w http.ResponseWriter, r *http.Request) error {
	page := rulesPage{Levels: welcome.Levels()}
	lessons, err := welcome.Lessons()
	if err != nil {
		return err
	}
	for _, l := range lessons {
		page.Lessons = append(page.Lessons, lesson{l})
	}
	return d.pages.show(w, r, "rules", view{Title: "Rules", About: "The rules of 2048 for two players, for both sides, with boards that show them.", Section: "rules", Modules: []string{"lessons.js"}, Body: page})
}
