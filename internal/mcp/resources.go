package mcp

import (
	"context"
	"fmt"
	"path"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"versus2048/docs"
)

// addResources adds the rules and the documents.
func (s *Server) addResources() {
	s.text("versus2048://rules", "rules", "The rules of the game, with the notation of moves.", rulesText)
	files, err := docs.Texts.ReadDir(".")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, file := range files {
		name := file.Name()
		read := func() (string, error) {
			text, err := docs.Texts.ReadFile(name)
			return string(text), err
		}
		text, err := read()
		if err != nil {
			panic(err)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		s.text("versus2048://docs/"+name, strings.TrimSuffix(name, path.Ext(name)), title, read)
	}
}

// text adds a document in Markdown.
func (s *Server) text(uri, name, about string, read func() (string, error)) {
	s.server.AddResource(&sdk.Resource{URI: uri, Name: name, Description: about, MIMEType: "text/markdown"},
		func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			text, err := read()
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: text}}}, err
		})
}

// The sections of PROTOCOL.md about the game alone begin at the heading rulesFrom and end before rulesTo.
const rulesFrom, rulesTo = "## The game\n", "### Test your rules\n"

// rulesText returns the rules of the game.
func rulesText() (string, error) {
	text, err := docs.Texts.ReadFile("PROTOCOL.md")
	if err != nil {
		return "", err
	}
	_, after, found := strings.Cut(string(text), rulesFrom)
	section, _, ended := strings.Cut(after, rulesTo)
	if !found || !ended {
		return "", fmt.Errorf("PROTOCOL.md has no section from %q to %q", rulesFrom, rulesTo)
	}
	return rulesFrom + section, nil
}
