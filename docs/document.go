package docs

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Link is a document in the list.
type Link struct {
	Address string // see [Address]
	Title   string
	file    string
}

// Group is a group of the list with the titles of its documents.
type Group struct {
	Title     string
	Documents []Link
}

// Groups returns the list of documents by their readers, as README.md has it: a heading for each kind of reader, with a
// list of links.
func Groups() (groups []Group) {
	list, _ := Files.ReadFile("README.md") // embedded
	for line := range strings.Lines(string(list)) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			groups = append(groups, Group{Title: title})
		}
		if entry := listed.FindStringSubmatch(line); entry != nil {
			g := &groups[len(groups)-1]
			g.Documents = append(g.Documents, Link{Address(entry[2]), entry[1], entry[2]})
		}
	}
	return groups
}

// listed matches a document in the list of README.md.
var listed = regexp.MustCompile(`^- \[(.+)\]\((.+\.md)\)`)

// Address returns the address of a file, such as /docs/BOTS for the page of BOTS.md. With .md behind it, that is the
// address of its Markdown.
func Address(file string) string { return "/docs/" + strings.TrimSuffix(file, ".md") }

// Title returns the first heading of a document, or its file's name.
func Title(file string) string {
	source, err := Files.ReadFile(file)
	if err != nil {
		return file
	}
	line, _, _ := strings.Cut(string(source), "\n")
	return strings.TrimPrefix(line, "# ")
}

// Page is the content of the page of a document.
type Page struct {
	Markdown string // the address of the document in Markdown
	Content  template.HTML
}

// NewPage returns the page of a document.
func NewPage(file string, source []byte) (*Page, error) {
	content, err := HTML(file, source)
	return &Page{Address(file) + ".md", content}, err
}

// HTML returns a document in HTML. Its links lead to the pages of other documents.
func HTML(file string, source []byte) (template.HTML, error) {
	var body bytes.Buffer
	if err := format(path.Dir(file)).Convert(source, &body); err != nil {
		return "", fmt.Errorf("the document %s: %w", file, err)
	}
	// Long lines of code scroll, also by keys.
	text := strings.ReplaceAll(body.String(), "<pre>", `<pre tabindex="0">`)
	return template.HTML(text), nil // #nosec G203 -- made from the documents of this program; goldmark leaves out HTML in them
}

// format converts Markdown of a folder to HTML. Cells of tables are aligned by attributes: the pages' policy
// forbids styles in them.
func format(folder string) goldmark.Markdown {
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
	if _, err := fs.Stat(Files, file); err != nil {
		return "", false
	}
	if hasAnchor {
		return Address(file) + "#" + anchor, true
	}
	return Address(file), true
}
