package docs

import (
	"regexp"
	"strings"
)

// Link is a document in the list.
type Link struct {
	Address string // see [Address]
	Title   string
}

// Group is a group of the list.
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
			g.Documents = append(g.Documents, Link{Address(entry[2]), entry[1]})
		}
	}
	return groups
}

// listed matches a document in the list of README.md.
var listed = regexp.MustCompile(`^- \[(.+)\]\((.+\.md)\)`)

// Address returns the address of a file's page, such as /docs/BOTS for BOTS.md. The file's Markdown has the same
// address with .md at its end.
func Address(file string) string { return "/docs/" + strings.TrimSuffix(file, ".md") }

// Title returns the heading in the first line of a document, or the file's name if there is no such document.
func Title(file string) string {
	source, err := Files.ReadFile(file)
	if err != nil {
		return file
	}
	line, _, _ := strings.Cut(string(source), "\n")
	return strings.TrimPrefix(line, "# ")
}
