package web

import (
	"fmt"
	"html/template"
	"net/http"
	"path"
	"sync"

	"versus2048/docs"
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

func (d *documents) list(w http.ResponseWriter, r *http.Request) error {
	return d.pages.show(w, r, "docs", view{Title: "Documents", Section: "docs", Body: docs.Groups()})
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
	return d.pages.show(w, r, "document", view{Title: docs.Title(file), Section: "docs", Body: content})
}

// html returns a document in HTML. Each document is converted once.
func (d *documents) html(file string, source []byte) (template.HTML, error) {
	if made, ok := d.made.Load(file); ok {
		return made.(template.HTML), nil
	}
	content, err := docs.HTML(file, source)
	if err != nil {
		return "", err
	}
	d.made.Store(file, content)
	return content, nil
}

func (d *documents) showRules(w http.ResponseWriter, r *http.Request) error {
	page, err := welcome.NewRules()
	if err != nil {
		return err
	}
	return d.pages.show(w, r, "rules", view{Title: "Rules", About: "The rules of 2048 for two players, for both sides, with boards that show them.", Section: "rules", Modules: []string{"lessons.js"}, Body: page})
}

// openAPI is the head of an OpenAPI document, of which programs know the rest.
type openAPI struct {
	OpenAPI string `json:"openapi"` // its version
}

// sendOpenAPI sends the description of the HTTP interface for programs.
func (d *documents) sendOpenAPI(w http.ResponseWriter, r *http.Request) error {
	return sendFile(w, r, "openapi.json", "application/json")
}

// sendSchema sends the JSON Schema of messages, records or outputs.
func (d *documents) sendSchema(w http.ResponseWriter, r *http.Request) error {
	return sendFile(w, r, r.PathValue("name"), "application/schema+json")
}

// sendFile sends a file of docs/schemas.
func sendFile(w http.ResponseWriter, r *http.Request, name, kind string) error {
	text, err := docs.Files.ReadFile("schemas/" + name)
	if err != nil {
		return notFound(fmt.Sprintf("There is no schema %.60q", name), "The page /docs/API.md lists them.")
	}
	return send(tagged{w}, r, http.StatusOK, kind, text)
}
