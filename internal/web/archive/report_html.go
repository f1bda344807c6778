package archive

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"versus2048/internal/text/plain"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/templates"
)

var (
	//go:embed report.html
	page string
	//go:embed report.css
	style string
)

// ReportPolicy returns the Content-Security-Policy of the page. The page loads nothing and runs nothing.
func ReportPolicy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src data:; base-uri 'none'; form-action 'none'"
}

// ReportForm is a file format of reports, with the function that writes it.
type ReportForm struct {
	Extension string // of its files
	Kind      string // its media type
	Write     func(r *Report, w io.Writer, link string) error
}

// ReportForms returns the names of the forms.
func ReportForms() []string { return []string{"html", "markdown"} }

// ReportFormOf returns the form of that name. ok is false if there is none.
func ReportFormOf(name string) (f ReportForm, ok bool) {
	switch name {
	case "html":
		return ReportForm{".html", "text/html; charset=utf-8", (*Report).WriteHTML}, true
	case "markdown":
		return ReportForm{".md", "text/markdown; charset=utf-8", (*Report).WriteMarkdown}, true
	}
	return f, false
}

// WriteHTML writes the report as a page that needs no other file. link is the address of the arena that has the games,
// or "": then the page has no links.
func (r *Report) WriteHTML(w io.Writer, link string) error {
	made, err := template.New("report").Funcs(template.FuncMap{
		"name": plain.Line, "number": templates.Number, "count": templates.Count, "points": drawing.PointsText,
		"add": func(a, b int) int { return a + b },
	}).Parse(page)
	if err != nil {
		return fmt.Errorf("the template of reports: %w", err)
	}
	var text bytes.Buffer
	if err := made.Execute(&text, htmlPage{r, link, template.CSS(style), ReportPolicy()}); err != nil { // #nosec G203 -- a file of this package
		return fmt.Errorf("the report of event %d: %w", r.Event.ID, err)
	}
	_, err = text.WriteTo(w)
	return err
}

// htmlPage is the data of the template.
type htmlPage struct {
	*Report
	Link   string
	Style  template.CSS
	Policy string
}

// Command returns the command that plays the event once more.
func (p htmlPage) Command() string { return p.Report.Command(p.Link) }

// Film returns the animation of a game as the src attribute of a picture, "" if there is none.
func (s Scene) Film() template.HTMLAttr { return source("image/gif", s.film) }

// Still returns the final position of a game as the src attribute of a picture.
func (s Scene) Still() template.HTMLAttr { return source("image/svg+xml", drawing.SVG(s.Final)) }

func source(kind string, picture []byte) template.HTMLAttr {
	if len(picture) == 0 {
		return ""
	}
	return template.HTMLAttr(`src="data:` + kind + ";base64," + base64.StdEncoding.EncodeToString(picture) + `"`) // #nosec G203 -- no text of others
}
