package policy_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"testing"
	"testing/fstest"
)

func TestNamesSayWhatIsInside(t *testing.T) {
	enforce(t, vagueNames, fstest.MapFS{
		"internal/server/game_manager.go": text("package server"),
		"internal/server/managerial.go":   text("package server"),
		"docs/helpers/readme.md":          text(""),
		"rules/util_test.go":              text("package rules"),
	},
		"docs/helpers/readme.md: helpers says nothing: name it for what is inside",
		"internal/server/game_manager.go: manager says nothing: name it for what is inside",
		"rules/util_test.go: util says nothing: name it for what is inside",
	)
}

var vagueWord = regexp.MustCompile(`(?:^|[/._-])((?:util|common|helper|manager)s?)(?:[/._-]|$)`)

// vagueNames rejects names of files and folders that would fit any content.
func vagueNames(t *testing.T, tree fs.FS) []string {
	var violations []string
	walk(t, tree, func(name string, _ []byte) {
		if match := vagueWord.FindStringSubmatch(name); match != nil {
			violations = append(violations, fmt.Sprintf("%s: %s says nothing: name it for what is inside", name, match[1]))
		}
	})
	return violations
}

// foreignPlaces are folders of the machine on which the project was written. They are written in two
// parts, so that this file does not match.
var foreignPlaces = []string{"/work" + "/", ".lib" + "rary", "../" + "shared"}

func TestNoForeignPlaces(t *testing.T) {
	place := foreignPlaces[0]
	enforce(t, foreign, fstest.MapFS{
		"docs/notes.md": text("first\nsee " + place + "notes"),
		"arena.db":      text("SQLite format 3\x00" + place),
		".ci/run":       text("cd " + place),
		".git/config":   text(place),
		"README.md":     text("frame" + place[1:] + " library"),
	},
		".ci/run:1: "+place+" is outside the project, where readers cannot look",
		"docs/notes.md:2: "+place+" is outside the project, where readers cannot look",
	)
}

// foreign rejects references to places outside the project.
func foreign(t *testing.T, tree fs.FS) []string {
	var violations []string
	walk(t, tree, func(name string, content []byte) {
		if bytes.IndexByte(content, 0) >= 0 {
			return // not a text, but a database or a program
		}
		for _, place := range foreignPlaces {
			if before, _, found := bytes.Cut(content, []byte(place)); found {
				violations = append(violations, fmt.Sprintf(
					"%s:%d: %s is outside the project, where readers cannot look",
					name, 1+bytes.Count(before, []byte("\n")), place))
			}
		}
	})
	return violations
}
