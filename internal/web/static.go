package web

import (
	"bytes"
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
	"sync"

	"github.com/andybalholm/brotli"

	"versus2048/internal/server"
	"versus2048/players/ntuple"
	"versus2048/rules"
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
	kind     string        // for Content-Type
	build    string        // in its address; "" for the build of all files
	body     []byte        // nil for a file that is embedded compressed
	short    func() []byte // the body compressed by gzip; nil if brotli is nil and gzip saves less than a tenth
	brotli   []byte        // the body compressed by Brotli, nil for none
	unpacked func() []byte // the body, if only brotli is there
	compiles bool          // whether it is the worker that may compile WebAssembly
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
		s.add(name, body)
		return nil
	})
	s.addThemes()
	s.build = hex.EncodeToString(all.Sum(nil))[:12]
	for _, r := range rules.Rulesets() {
		s.files[ntuple.OwnName(r)] = file{kind: "application/octet-stream", build: networks, body: ntuple.OwnFile(r)}
	}
	return s, err
}

// networks is the build in the addresses of networks. It never changes, because another network has another name.
const networks = "networks"

// championWorker is the module that compiles the champion's program.
const championWorker = "championworker.js"

// add adds a file. A file that is compressed by Brotli is added without the .br at the end of its name.
func (s *static) add(name string, body []byte) {
	if packed, is := strings.CutSuffix(name, ".br"); is {
		unpacked := sync.OnceValue(func() []byte { return unpacked(body) })
		short := sync.OnceValue(func() []byte { return compressed(unpacked()) }) // for visitors without https, who may be few
		s.files[packed] = file{kind: kindOf(packed), brotli: body, short: short, unpacked: unpacked}
		return
	}
	f := file{kind: kindOf(name), body: body, compiles: name == championWorker}
	if short := compressed(body); len(short) < len(body)*9/10 {
		f.short = func() []byte { return short }
	}
	s.files[name] = f
}

// addThemes adds the style sheets of pages that are always light, or always dark.
func (s *static) addThemes() {
	for theme, media := range map[string]string{"light": "not all", "dark": "all"} {
		s.add(theme+".css", bytes.ReplaceAll(s.files["style.css"].body, []byte("(prefers-color-scheme: dark)"), []byte(media)))
	}
}

// unpacked undoes Brotli.
func unpacked(short []byte) []byte {
	body, err := io.ReadAll(brotli.NewReader(bytes.NewReader(short)))
	if err != nil {
		panic(fmt.Sprintf("an embedded file: %v", err)) // a test reads it
	}
	return body
}

// encoded returns the body of an answer as the browser takes it, and its encoding, "" for none. Browsers take Brotli
// only by https and from their own machine.
func (f *file) encoded(r *http.Request) (body []byte, encoding string) {
	switch {
	case f.brotli != nil && takes(r, "br"):
		return f.brotli, "br"
	case f.short != nil && takes(r, "gzip"):
		return f.short(), "gzip"
	case f.body == nil:
		return f.unpacked(), ""
	}
	return f.body, ""
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
// They may read the description of the interface for programs.
func robots(w http.ResponseWriter, _ *http.Request) {
	guard(w.Header())
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "User-agent: *\nDisallow: /analysis\nDisallow: /play?\nDisallow: /api/\nAllow: /api/openapi.json\nDisallow: /parts/\n") // the reader may be gone
}

// serve answers with a file. A page of an earlier build asks for the files of that build. It gets the present files,
// and must not keep them.
func (s *static) serve(w http.ResponseWriter, r *http.Request) {
	f, ok := s.files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	guard(h)
	if f.compiles {
		h.Set("Content-Security-Policy", policyFor("'none'", "'wasm-unsafe-eval'"))
	}
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.PathValue("build") != cmp.Or(f.build, s.build) {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Vary", "Accept-Encoding")
	body, encoding := f.encoded(r)
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may be gone
}
