package web

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"versus2048/internal/server"
)

//go:embed static
var staticFiles embed.FS

// static has the files that browsers load besides pages: style sheets, modules, pictures. Their addresses have a part
// that changes with every change of a file, so that browsers may keep them for ever.
type static struct {
	build string
	files map[string]file
}

// file is a static file.
type file struct {
	kind        string // for Content-Type
	body, short []byte // short is compressed, nil if that saves nothing
}

func newStatic() (*static, error) {
	s := &static{files: map[string]file{}}
	all := sha256.New()
	err := fs.WalkDir(staticFiles, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := staticFiles.ReadFile(name)
		if err != nil {
			return err
		}
		name = strings.TrimPrefix(name, "static/")
		fmt.Fprintf(all, "%s %d\n", name, len(body))
		all.Write(body)
		f := file{kind: kindOf(name), body: body}
		if short := compressed(body); len(short) < len(body)*9/10 {
			f.short = short
		}
		s.files[name] = f
		return nil
	})
	s.build = hex.EncodeToString(all.Sum(nil))[:12]
	return s, err
}

func kindOf(name string) string {
	known := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
	return cmp.Or(known[path.Ext(name)], mime.TypeByExtension(path.Ext(name)))
}

// url returns the address of a file. It panics if there is none: the test of every page would show that.
func (s *static) url(name string) string {
	if _, ok := s.files[name]; !ok {
		panic("there is no file " + name + " in internal/web/static")
	}
	return "/static/" + s.build + "/" + name
}

// routes returns the routes for browsers and search engines that need no right.
func (s *static) routes() []server.Route {
	return []server.Route{
		{Pattern: "GET /static/{build}/{file...}", Right: server.OpenRight, Serve: s.serve},
		{Pattern: "GET /favicon.ico", Right: server.OpenRight, Serve: s.icon},
		{Pattern: "GET /robots.txt", Right: server.OpenRight, Serve: robots},
	}
}

// icon redirects browsers that request the icon at its fixed address, before they know a page.
func (s *static) icon(w http.ResponseWriter, r *http.Request) {
	guard(w.Header())
	http.Redirect(w, r, s.url("icon.svg"), http.StatusFound)
}

// robots tells search engines to leave out the addresses without text, and the addresses that make the arena search.
func robots(w http.ResponseWriter, _ *http.Request) {
	guard(w.Header())
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "User-agent: *\nDisallow: /analysis\nDisallow: /play?\nDisallow: /api/\nDisallow: /parts/\n") // the reader may be gone
}

// serve answers with a file. A page of an earlier build may still ask for its own: it gets the present one, but may not
// keep it.
func (s *static) serve(w http.ResponseWriter, r *http.Request) {
	f, ok := s.files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	guard(h)
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.PathValue("build") != s.build {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Vary", "Accept-Encoding")
	body := f.body
	if f.short != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = f.short
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may be gone
}
