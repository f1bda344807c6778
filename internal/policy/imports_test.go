package policy_test

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// A layer is what a top-level folder may import besides the standard library and itself. A path stands
// for all below it.
type layer struct {
	code  []string
	tests []string // what its tests may import as well
}

// Each library has the folders that may import it: only protocol knows of WebSocket, only results of
// SQLite. Tests may open raw sockets, as the faulty bots do, and play with any bot; what a ply costs is measured with the real store.
var layers = map[string]layer{
	"rules":      {},
	"players":    {code: []string{own + "rules", own + "analysis/exact"}},
	"protocol":   {code: []string{own + "rules", own + "players", websocket}},
	"tournament": {code: []string{own + "rules", own + "players", own + "picture", "gonum.org/v1/gonum", "gonum.org/v1/plot"}},
	"results": {
		code:  []string{own + "rules", own + "tournament", "modernc.org/sqlite", "github.com/gofrs/flock"},
		tests: []string{own + "players"},
	},
	"arena": {
		code:  []string{own + "rules", own + "players", own + "protocol", own + "tournament", own + "web"},
		tests: []string{own + "results", websocket},
	},
	"experiment": {
		code:  []string{own + "rules", own + "players", own + "tournament", own + "analysis", own + "picture", "gonum.org/v1/gonum", "gonum.org/v1/plot"},
		tests: []string{own + "results"},
	},
	"web": {code: []string{own + "rules", own + "tournament"}, tests: []string{own + "players"}},
	"analysis": {
		code:  []string{own + "rules", own + "picture", "gonum.org/v1/plot", "github.com/edsrzf/mmap-go", "github.com/gofrs/flock"},
		tests: []string{own + "players"},
	},
	"picture": {code: []string{"gonum.org/v1/plot"}},
	"cmd": {
		code:  []string{own, "github.com/urfave/cli/v2", "github.com/pelletier/go-toml/v2", "golang.org/x/term"},
		tests: []string{websocket, "github.com/rogpeppe/go-internal"},
	},
	"internal": {},
}

const (
	own       = "versus2048/"
	websocket = "github.com/gorilla/websocket"
)

func TestImports(t *testing.T) {
	enforce(t, imports, fstest.MapFS{
		"rules/board.go":             text("package rules; import (`math/bits`; `versus2048/players`)"),
		"players/greedy.go":          text("package players; import `versus2048/rules`"),
		"players/playertest/run.go":  text("package playertest; import (`testing`; `versus2048/players`)"),
		"protocol/conn.go":           text("package protocol; import `github.com/gorilla/websocket`"),
		"arena/server.go":            text("package arena; import `github.com/gorilla/websocket`"),
		"arena/server_test.go":       text("package arena; import `github.com/gorilla/websocket`"),
		"analysis/oracle.go":         text("package analysis; import `versus2048/rulesets`"),
		"cmd/arena/main.go":          text("package main; import (`modernc.org/sqlite`; `versus2048/results`)"),
		"helpers/helpers.go":         text("package helpers"),
		"results/testdata/broken.go": text("package broken; import `versus2048/cmd`"),
	},
		"analysis/oracle.go imports versus2048/rulesets: beyond the standard library, analysis may import only "+
			"versus2048/rules, versus2048/picture, gonum.org/v1/plot, github.com/edsrzf/mmap-go, github.com/gofrs/flock",
		"arena/server.go imports github.com/gorilla/websocket: beyond the standard library, arena may import only "+
			"versus2048/rules, versus2048/players, versus2048/protocol, versus2048/tournament, versus2048/web",
		"cmd/arena/main.go imports modernc.org/sqlite: beyond the standard library, cmd may import only "+
			"versus2048/, github.com/urfave/cli/v2, github.com/pelletier/go-toml/v2, golang.org/x/term",
		"helpers/helpers.go: the folder helpers has no import rule: give it one in internal/policy",
		"rules/board.go imports versus2048/players: rules may import only the standard library",
	)
}

// imports holds each folder against its layer.
func imports(t *testing.T, tree fs.FS) []string {
	var violations []string
	for _, file := range sources(t, tree) {
		layer, known := layers[file.folder]
		if !known {
			violations = append(violations, fmt.Sprintf(
				"%s: the folder %[2]s has no import rule: give it one in internal/policy", file.path, file.folder))
			continue
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !layer.allows(imported, file) {
				violations = append(violations, fmt.Sprintf("%s imports %s: %s", file.path, imported, layer.rule(file.folder)))
			}
		}
	}
	return violations
}

func (l layer) allows(imported string, file source) bool {
	allowed := append([]string{own + file.folder}, l.code...)
	if file.isTest() {
		allowed = append(allowed, l.tests...)
	}
	for _, prefix := range allowed {
		if within(imported, prefix) {
			return true
		}
	}
	return standard(imported)
}

func (l layer) rule(folder string) string {
	if len(l.code) == 0 {
		return folder + " may import only the standard library"
	}
	return fmt.Sprintf("beyond the standard library, %s may import only %s", folder, strings.Join(l.code, ", "))
}

// within reports whether the imported package is the one at the prefix, or below it.
func within(imported, prefix string) bool {
	return strings.HasPrefix(imported+"/", strings.TrimSuffix(prefix, "/")+"/")
}

// standard tells packages of the standard library by their first element, which is not a host.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") && first+"/" != own
}
