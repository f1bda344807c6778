// Package docs holds the documents of this folder, and their list.
//
//	text, err := docs.Files.ReadFile("PROTOCOL.md")
package docs

import "embed"

// Files are the documents, with the pictures that they show.
//
//go:embed *.md adr/*.md notes/*.md analysis/*.md analysis/*.svg images/*.svg example/*.py schemas/*.json
var Files embed.FS

// Texts are the documents that lie directly in the folder, for programs without pages. They have a sixth of the bytes
// of Files.
//
//go:embed *.md
var Texts embed.FS
