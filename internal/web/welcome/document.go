package welcome

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"versus2048/docs"
)

// Document is the content of the page of a document.
type Document struct {
	Markdown string // the address of the document in Markdown
	Content  template.HTML
}

// NewDocument returns the content of the page of a document in docs.
func NewDocument(file string, source []byte) (*Document, error) {
	content, err := HTML(file, source)
	return &Document{docs.Address(file) + ".md", content}, err
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

// format returns the converter to HTML for the Markdown of a folder. It aligns the cells of tables by attributes: the
// pages' policy forbids styles in them.
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
	for _, link := range outside { // the arena has no source code: a link to source code becomes its text
		parent := link.Parent()
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			parent.InsertBefore(parent, link, child)
		}
		parent.RemoveChild(parent, link)
	}
}

// page returns the address of a link's target. It returns false if the target is neither on the arena nor elsewhere on
// the web.
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
		return docs.Address(file) + "#" + anchor, true
	}
	return docs.Address(file), true
}
