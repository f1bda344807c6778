package web

import (
	"cmp"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"

	"versus2048/docs"
	"versus2048/internal/web/welcome"
)

// documents are the pages of the documents in docs.
type documents struct {
	pages *pages
	made  sync.Map // a *welcome.Document by file, from the first request for it on
}

// showAPI redirects to the description of the interface for programs.
func showAPI(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, "/docs/API", http.StatusSeeOther)
	return nil
}

func (d *documents) list(w http.ResponseWriter, r *http.Request) error {
	return d.pages.show(w, r, "docs", view{Title: "Documents", Section: "docs", Body: docs.Groups()})
}

// show shows the page of a document, and sends Markdown, pictures and programs as they are.
func (d *documents) show(w http.ResponseWriter, r *http.Request) error {
	file := r.PathValue("file")
	kind := path.Ext(file)
	if kind == "" {
		file += ".md"
	}
	source, err := docs.Files.ReadFile(file)
	if err != nil {
		return notFound(fmt.Sprintf("There is no document %.60q", r.PathValue("file")), "The list of documents is at /docs.")
	}
	if kind != "" {
		known := map[string]string{".md": "text/markdown; charset=utf-8", ".svg": "image/svg+xml"}
		return send(tagged{w}, r, http.StatusOK, cmp.Or(known[kind], "text/plain; charset=utf-8"), source)
	}
	body, err := d.page(file, source)
	if err != nil {
		return err
	}
	return d.pages.show(w, r, "document", view{Title: docs.Title(file), Section: "docs", Body: body})
}

// page returns the page of a document. It makes a page at the first request, and keeps it.
func (d *documents) page(file string, source []byte) (*welcome.Document, error) {
	if made, ok := d.made.Load(file); ok {
		return made.(*welcome.Document), nil
	}
	made, err := welcome.NewDocument(file, source)
	if err != nil {
		return nil, err
	}
	d.made.Store(file, made)
	return made, nil
}

// sendLLMs sends llms.txt, which introduces this arena and lists its documents, to agents that know only its address.
func (d *documents) sendLLMs(w http.ResponseWriter, r *http.Request) error {
	here := origin(r)
	about := fmt.Sprintf("This is an arena. Bots connect to it at ws%[2]s/bot. To play, begin with %[1]s/docs/AGENTS.md.\n\n"+
		"## This arena\n\n"+
		"- [Its HTTP interface](%[1]s/api/openapi.json): OpenAPI 3.1 of everything that the pages show\n"+
		"- [Events](%[1]s/events): The tournaments that were played here, are played now and come next\n"+
		"- [Ratings](%[1]s/ratings): Standing lists of all bots that have played here\n"+
		"- [Connect a bot](%[1]s/connect): The commands that connect a bot to this arena\n"+
		"- [Rules](%[1]s/rules): The rules of the game, with boards that show them\n", here, strings.TrimPrefix(here, "http"))
	return send(tagged{w}, r, http.StatusOK, "text/plain; charset=utf-8", welcome.LLMs(here, about))
}

func (d *documents) showRules(w http.ResponseWriter, r *http.Request) error {
	page, err := welcome.NewRules()
	if err != nil {
		return err
	}
	return d.pages.show(w, r, "rules", view{Title: "Rules", About: "The rules of 2048 for two players, for both sides, with boards that show them.", Section: "rules", Modules: []string{"lessons.js"}, Body: page})
}

// openAPI is the type of an OpenAPI document in the list of routes. It has only the first key: programs know the rest.
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
		return notFound(fmt.Sprintf("There is no schema %.60q", name), "The page /docs/API lists them.")
	}
	return send(tagged{w}, r, http.StatusOK, kind, text)
}
