package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"versus2048/docs"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/offline"
	"versus2048/internal/web/welcome"
)

// addPages adds the pages that are files. Others are made in the browser.
func (s site) addPages(c offline.Config) error {
	made, err := offline.New(c)
	if err != nil {
		return err
	}
	for name, request := range map[string]offline.Request{
		"analysis.html": {Path: "/analysis"},
		"puzzles.html":  {Path: "/puzzles", Query: "number=1"},
		"replay.html":   {Path: "/replay"},
	} {
		if s[name], err = answered(made, request); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	home, err := newHome()
	if err != nil {
		return err
	}
	rules, err := welcome.NewRules()
	if err != nil {
		return err
	}
	for name, v := range map[string]analysis.View{
		"site-home": {Title: "versus 2048", Section: "home", Modules: []string{"home.js"}, Body: home},
		"play":      {Title: "Play", Section: "play", Modules: []string{"play.js"}, Body: welcome.NewPlay(nil, nil)},
		"rules":     {Title: "Rules", Section: "rules", Modules: []string{"lessons.js"}, Body: rules},
		"docs":      {Title: "Documents", Section: "docs", Body: docs.Groups()},
	} {
		if s[strings.Replace(name, "site-home", "index", 1)+".html"], err = made.Page(name, v, 0); err != nil {
			return err
		}
	}
	return s.addDocuments(made)
}

// answered returns the page that answers a request. It returns an error if that is the page of an error.
func answered(made *offline.Site, r offline.Request) ([]byte, error) {
	answer := made.Answer(r)
	if answer.Status != http.StatusOK {
		return nil, fmt.Errorf("package offline answers %s with the status %d: want a page with %d", r.Path, answer.Status, http.StatusOK)
	}
	return []byte(answer.Body), nil
}

// home is the first page.
type home struct {
	Levels []welcome.Level
	Scenes []welcome.Shown
	TV     *welcome.TV
}

func newHome() (*home, error) {
	scenes, err := welcome.OwnScenes(nil)
	if err != nil {
		return nil, err
	}
	return &home{welcome.Levels(), scenes, scenes[0].First()}, nil
}

// aboutSite tells agents what the site is.
const aboutSite = "This is a site without an arena: people play, analyse and solve puzzles in their browsers. " +
	"A program plays on an arena, your own or a friend's: begin with ./docs/AGENTS.md.\n"

// addDocuments adds the documents as pages and in Markdown, their list for agents, and the files beside them: JSON
// without white space, others as they are.
func (s site) addDocuments(made *offline.Site) error {
	s["llms.txt"] = welcome.LLMs(".", aboutSite)
	return fs.WalkDir(docs.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := docs.Files.ReadFile(name)
		if err != nil {
			return err
		}
		file := path.Join("docs", name)
		s[file] = source
		switch path.Ext(name) {
		case ".json":
			var short bytes.Buffer
			err := json.Compact(&short, source)
			s[file] = short.Bytes()
			return err
		case ".md":
		default:
			return nil
		}
		body, err := welcome.NewDocument(name, source)
		if err != nil {
			return err
		}
		v := analysis.View{Title: docs.Title(name), Section: "docs", Body: body}
		s[strings.TrimSuffix(file, ".md")+".html"], err = made.Page("document", v, strings.Count(file, "/"))
		return err
	})
}
