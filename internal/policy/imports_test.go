package policy_test

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// A layer lists what a folder may import besides the standard library and its own packages. A folder
// without a layer of its own belongs to the layer of the nearest folder above it. A path that ends in
// /... stands for a package and all packages below it.
type layer struct {
	code  []string
	tests []string // tests may import these in addition
}

const (
	own       = "versus2048/"
	websocket = "github.com/gorilla/websocket"
	lru       = "github.com/hashicorp/golang-lru/v2"
	gonum     = "gonum.org/v1/gonum/..."
	plot      = "gonum.org/v1/plot/..."

	// The packages of gonum for arena and bot. They do not import mat, which keeps LAPACK in a program.
	sums    = "gonum.org/v1/gonum/floats"
	special = "gonum.org/v1/gonum/mathext"

	jsonSchema = "github.com/google/jsonschema-go/jsonschema"
	natsClient = "github.com/nats-io/..." // the client, its JetStream, and its ids
	mcpSDK     = "github.com/modelcontextprotocol/go-sdk/mcp"
)

// layers maps folders to their layers. Few folders may import each library: only protocol knows
// WebSocket, only results knows SQLite. Tests may open raw sockets, as the faulty bots do, and play with
// any bot; the cost of a ply is measured with the real store. All tests may check what decoding allocates,
// and choose an address.
var layers = map[string]layer{
	".": {tests: []string{strings.TrimSuffix(own, "/")}}, // the version

	"rules":        {},
	"rules/record": {code: []string{own + "rules", own + "internal/text/plain"}},

	// The searches know neither players nor records: players makes a record of what they report.
	"players": {
		code:  []string{own + "rules/...", own + "players/...", own + "internal/disk"},
		tests: []string{own + "lab/..."},
	},
	// The formats of files that the laboratory writes, and that players and pages read.
	"players/exact":       {code: []string{own + "rules", own + "internal/disk", "github.com/edsrzf/mmap-go"}},
	"players/certificate": {code: []string{own + "rules"}},

	"players/playout": {
		code:  []string{own + "rules", "golang.org/x/sys/cpu"},
		tests: []string{own + "players/evaluation", own + "players/searchtest"},
	},
	"players/evaluation": {
		code:  []string{own + "rules"},
		tests: []string{own + "players/playout", own + "players/searchtest"},
	},
	"players/searching": {code: []string{own + "rules/..."}, tests: []string{own + "players/alphabeta"}},
	"players/alphabeta": {
		code:  []string{own + "rules", own + "players/evaluation", own + "players/searching"},
		tests: []string{own + "players/playout", own + "players/searchtest"},
	},
	"players/annoying": {
		code:  []string{own + "rules", own + "players/evaluation", own + "players/searching"},
		tests: []string{own + "players/playout", own + "players/searchtest"},
	},
	"players/expectimax": {
		code:  []string{own + "rules", own + "players/searching"},
		tests: []string{own + "players/playout", own + "players/searchtest", own + "players/evaluation", own + "lab/retrograde"},
	},
	"players/mcts": {
		code:  []string{own + "rules", own + "players/playout", own + "players/evaluation", own + "players/searching"},
		tests: []string{own + "players/searchtest"},
	},
	"players/ntuple": {
		code: []string{own + "rules", own + "internal/disk", "github.com/edsrzf/mmap-go", "golang.org/x/sys/cpu"},
	},
	// Networks that were trained in Python.
	"players/puct": {
		code:  []string{own + "rules", own + "players/neural", own + "players/playout", own + "players/searching"},
		tests: []string{own + "lab/retrograde", own + "players/exact", own + "players/searchtest", gonum},
	},
	"players/neural": {
		code:  []string{own + "rules", own + "internal/disk", "golang.org/x/sys/cpu"},
		tests: []string{own + "players/searchtest", own + "players/clock"},
	},

	// The generators of assembly, a module of their own.
	"players/asm": {code: []string{"github.com/mmcloughlin/avo/..."}},

	// A program as a player, over the protocol's lines.
	"players/process": {
		code:  []string{own + "rules/...", own + "players", own + "players/clock", own + "protocol/stdio", own + "internal/parallel"},
		tests: []string{own + "players/playertest"},
	},
	"players/searchtest": {
		code: []string{own + "rules", own + "players/evaluation", own + "players/neural"},
	},

	"players/clock": {code: []string{"golang.org/x/sys/unix"}},

	// plain knows the letters of names, and shows texts from strangers.
	"internal/text/plain": {},
	"internal/text/axes":  {},

	"protocol": {
		code:  []string{own + "rules/...", own + "players", own + "players/clock", own + "internal/text/plain", websocket, "golang.org/x/time/rate", "golang.org/x/text/...", "go.mau.fi/util/confusable"},
		tests: []string{own + "players/playertest"},
	},

	"protocol/stdio": {code: []string{own + "rules/...", own + "players", own + "internal/text/plain"}},

	"internal/llm": {
		code:  []string{own + "rules/...", own + "players", own + "internal/text/plain", "golang.org/x/time/rate", "github.com/cenkalti/backoff/v5"},
		tests: []string{own + "players/playertest"},
	},

	"internal/check": {
		code: []string{own + "rules/...", own + "players", own + "players/process", own + "protocol", own + "protocol/stdio", own + "internal/text/plain", own + "players/clock", websocket},
	},

	"tournament": {
		code:  []string{own + "rules/...", own + "players", own + "players/clock", own + "tournament/rating"},
		tests: []string{own + "tournament/format", own + "tournament/report"},
	},
	// Only farm and its broker know NATS, and the commands that connect to it.
	"internal/farm": {
		code:  []string{own + "rules/...", own + "players", own + "players/clock", own + "tournament", natsClient, "github.com/gofrs/flock", own + "internal/disk"},
		tests: []string{own + "internal/farm/broker", own + "results", own + "tournament/format", own + "players/process"},
	},
	"internal/farm/broker": {code: []string{"github.com/nats-io/nats-server/v2/server", natsClient}, tests: []string{own + "internal/farm"}},

	"tournament/rating": {code: []string{sums, special}},
	"tournament/format": {code: []string{own + "tournament", own + "tournament/rating"}, tests: []string{own + "rules/..."}},
	"tournament/recipe": {code: []string{
		own + "rules/...", own + "players", own + "tournament", own + "tournament/format", own + "tournament/rating", own + "internal/parallel", own + "internal/disk", own + "internal/text/plain",
	}},
	"tournament/standing": {
		code: []string{own + "rules/...", own + "players", own + "tournament", own + "tournament/rating", own + "tournament/report", own + "internal/text/plain", own + "internal/text/terminal"},
	},
	"tournament/report": {
		code:  []string{own + "rules/...", own + "tournament", own + "tournament/format", own + "tournament/rating", own + "internal/text/axes", own + "internal/text/plain", own + "internal/text/terminal", special, "golang.org/x/image/..."},
		tests: []string{gonum},
	},

	"results": {
		code:  []string{own + "rules/...", own + "tournament/...", own + "internal/text/plain", own + "internal/disk", "modernc.org/sqlite/...", "github.com/gofrs/flock", "golang.org/x/sys/unix"},
		tests: []string{own + "players", own + "internal/fulldisk"},
	},
	"results/backup": {
		code:  []string{own + "results", own + "internal/disk", "github.com/gofrs/flock", "github.com/klauspost/compress/zstd"},
		tests: []string{own + "players", own + "rules", own + "tournament/...", own + "internal/fulldisk"},
	},
	"results/parquet": {
		code:  []string{own + "results", own + "rules/...", own + "internal/disk", "github.com/parquet-go/parquet-go"},
		tests: []string{own + "players", own + "tournament/..."},
	},
	"internal/server": {
		code:  []string{own + "rules/...", own + "players", own + "protocol", own + "players/clock", own + "tournament/...", own + "internal/server/...", own + "internal/text/plain", "golang.org/x/time/rate"},
		tests: []string{own + "results", own + "lab/retrograde", own + "protocol/stdio", websocket},
	},
	// Only the program bot knows the protocol of assistants: TestLinks.
	"internal/mcp": {
		code:  []string{own + "docs", own + "internal/server", own + "players", own + "players/exact", own + "protocol", own + "rules/...", own + "tournament", mcpSDK},
		tests: []string{own + "internal/mcp/mcptest", own + "internal/server/...", own + "internal/web", own + "results"},
	},
	"internal/mcp/mcptest": {code: []string{own + "internal/mcp", mcpSDK}},
	"internal/study": {
		code:  []string{own + "rules/...", own + "players/alphabeta", own + "players/expectimax", own + "players/evaluation", own + "players/exact", own + "players/ntuple", own + "players/searching", own + "internal/text/plain"},
		tests: []string{own + "lab/retrograde", own + "players"},
	},
	"internal/web": {
		code: []string{
			own + "rules/...", own + "tournament/...", own + "results", own + "results/parquet", own + "internal/server", own + "internal/server/budget", own + "internal/server/lobby", own + "internal/templates", own + "internal/server/gate", own + "internal/server/roster", own + "internal/server/trouble", own + "protocol", own + "players", own + "internal/text/plain", own + "internal/study",
			own + "internal/web/inbrowser", own + "players/ntuple", "github.com/andybalholm/brotli", "github.com/klauspost/compress/gzip",
			own + "players/exact", own + "docs", own + "internal/web/analysis", own + "internal/web/archive", own + "internal/web/drawing", own + "internal/web/live", own + "internal/web/templates", own + "internal/web/welcome", lru,
		},
		tests: []string{own + "lab/retrograde", own + "players/evaluation", own + "players/searchtest", own + "tournament/agenda", own + "internal/server/roster", own + "internal/siege/stranger", websocket, "github.com/chromedp/..."},
	},
	"internal/web/archive": {
		code: []string{
			own + "rules/...", own + "tournament/...", own + "results", own + "internal/server", own + "internal/server/budget", own + "internal/text/...", own + "internal/web/analysis", own + "internal/web/drawing", own + "internal/web/live", own + "internal/web/templates",
		},
		tests: []string{own + "players", own + "protocol", own + "internal/server/gate", own + "internal/server/roster", "github.com/yuin/goldmark/..."},
	},
	"internal/web/templates": {code: []string{own + "internal/text/plain", own + "rules/..."}},
	// Pages about positions, which browsers make, too: they know neither an arena nor a store.
	"internal/web/analysis": {
		code: []string{
			own + "rules/...", own + "players/exact", own + "internal/study", own + "internal/text/axes", own + "internal/text/plain", own + "internal/web/inbrowser", own + "internal/web/templates",
		},
	},
	// The pages of a site without an arena. Browsers run them, so that no library but the standard one is in them.
	"internal/web/offline": {
		code: []string{
			own + "rules/...", own + "players/exact", own + "internal/study", own + "internal/web/analysis", own + "internal/web/inbrowser", own + "internal/web/templates",
		},
		tests: []string{own + "lab/retrograde"},
	},
	// The program of the site is the champion and its pages.
	"internal/web/inbrowser/wasm": {code: []string{own + "internal/web/inbrowser", own + "internal/web/offline"}},
	// The champion in the browser: its program links no players but those of the levels.
	"internal/web/inbrowser": {
		code: []string{
			own + "rules/...", own + "players/champion", own + "players/ntuple", own + "players/playout", own + "players/searching",
			own + "players/alphabeta", own + "players/evaluation", own + "internal/study",
		},
		tests: []string{own + "players", own + "players/searchtest", own + "internal/web/welcome"},
	},
	"internal/web/live": {
		code: []string{
			own + "rules/...", own + "tournament", own + "tournament/report", own + "internal/server", own + "internal/study", own + "internal/text/plain", own + "internal/web/templates",
		},
		tests: []string{own + "tournament/rating"},
	},
	"internal/web/welcome": {
		code: []string{
			own + "docs", "github.com/yuin/goldmark/...", own + "internal/study", own + "internal/text/plain", own + "internal/web/analysis", own + "internal/web/live", own + "internal/web/templates", own + "players", own + "rules/...", own + "tournament",
		},
	},
	"internal/web/drawing": {code: []string{own + "rules", own + "internal/text/plain", own + "tournament", own + "tournament/report", "golang.org/x/image/...", "rsc.io/qr"}},
	"docs":                 {},

	// Files for other programs, with tests.
	"deploy":                 {tests: []string{own + "internal/templates", own + "protocol", websocket, "github.com/creack/pty"}},
	"internal/templates":     {tests: []string{own + "rules/...", own + "internal/server", own + "internal/server/gate", own + "protocol", own + "results", own + "tournament", websocket}},
	"tournament/agenda":      {code: []string{own + "tournament"}},
	"internal/server/budget": {},
	"internal/server/roster": {code: []string{
		own + "rules/...", own + "players", own + "players/clock", own + "players/process", own + "protocol", own + "protocol/stdio", own + "tournament/...",
		"github.com/kballard/go-shellquote",
	}},
	"internal/server/gate": {
		code:  []string{own + "protocol", own + "internal/disk", own + "internal/text/plain", "golang.org/x/time/rate"},
		tests: []string{own + "results", "github.com/gorilla/websocket"},
	},
	// Counts for Prometheus. It knows games, and neither the arena nor its store.
	"internal/server/metrics": {code: []string{own + "rules/...", own + "tournament", "github.com/VictoriaMetrics/metrics"}},
	"internal/server/trouble": {},
	"internal/server/webhook": {code: []string{own + "internal/server", own + "internal/server/trouble", own + "internal/text/plain", own + "tournament", "github.com/cenkalti/backoff/v5"}},
	"internal/server/lobby": {
		code:  []string{own + "internal/check", own + "internal/server", own + "internal/server/roster", own + "protocol", own + "rules/...", own + "tournament", own + "tournament/format"},
		tests: []string{own + "players", own + "results"},
	},
	// The laboratory, which the arena does not link: TestLinks.
	"lab": {
		code: []string{
			own + "rules/...", own + "players/...", own + "tournament/...", own + "internal/farm", own + "internal/parallel", own + "lab/picture",
			own + "internal/text/terminal", own + "internal/disk", gonum, plot, "github.com/edsrzf/mmap-go", "github.com/gofrs/flock",
		},
		tests: []string{own + "results", own + "lab/proof/check", natsClient},
	},
	"lab/claims": {code: []string{own + "docs", own + "internal/disk", gonum, "github.com/pelletier/go-toml/v2"}},
	// The checker of proofs has rules of its own, so that it can be trusted by itself.
	"lab/proof/check": {tests: []string{own + "rules", own + "lab/retrograde", own + "players/exact", own + "players/certificate", own + "lab/proof/coarse"}},
	"lab/picture":     {code: []string{own + "internal/text/terminal", plot}},
	"internal/text/terminal": {
		code:  []string{own + "internal/text/plain", "github.com/clipperhouse/displaywidth", "golang.org/x/term"},
		tests: []string{"github.com/creack/pty"},
	},
	"cmd": {
		code: []string{
			own + "...", "github.com/urfave/cli/v2", "github.com/pelletier/go-toml/v2", "github.com/coreos/go-systemd/v22/daemon", "golang.org/x/term",
			"golang.org/x/crypto/x509roots/fallback/bundle", "golang.org/x/crypto/acme/...", natsClient,
		},
		tests: []string{websocket, "github.com/rogpeppe/go-internal/...", "github.com/creack/pty", "modernc.org/sqlite", mcpSDK},
	},
	"internal": {},
	// Schemas of types, for tests alone.
	"internal/schema": {code: []string{own + "docs", own + "internal/disk", own + "rules/...", own + "tournament", own + "tournament/report", jsonSchema}},
	// SQLite's writes, as on a full disk.
	"internal/fulldisk": {code: []string{"modernc.org/sqlite/lib", "modernc.org/libc"}, tests: []string{"modernc.org/sqlite"}},
	"internal/disk":     {code: []string{own + "internal/text/plain", "golang.org/x/sys/unix"}},
	// The program arena plays the games of a dataset.
	"deploy/release": {code: []string{
		strings.TrimSuffix(own, "/"), own + "docs", own + "internal/web/analysis", own + "internal/web/offline", own + "internal/web/welcome", own + "lab/retrograde", own + "players/ntuple",
		own + "results", own + "results/parquet", own + "rules", own + "tournament", own + "tournament/standing", "github.com/CycloneDX/cyclonedx-go", "github.com/urfave/cli/v2",
	}},
	// A module of its own, with libraries that only a release needs.
	"deploy/release/packages": {
		code:  []string{"github.com/goreleaser/nfpm/v2/...", "github.com/google/go-containerregistry/pkg/v1/...", "github.com/pelletier/go-toml/v2", "aead.dev/minisign"},
		tests: []string{"github.com/blakesmith/ar", "github.com/sassoftware/go-rpmutils", "go.yaml.in/yaml/v3"},
	},
	"internal/siege": {code: []string{
		own + "players", own + "protocol", own + "protocol/stdio", own + "results", own + "rules/...", own + "internal/server", own + "internal/server/gate", own + "internal/farm", own + "internal/farm/broker", own + "tournament",
		own + "internal/testkit", websocket, natsClient, "github.com/urfave/cli/v2", "golang.org/x/sys/unix",
	}},
}

func TestImports(t *testing.T) {
	enforce(t, imports, fstest.MapFS{
		"rules/board.go":                 text("package rules; import (`math/bits`; `versus2048/players`)"),
		"players/greedy.go":              text("package players; import `versus2048/rules`"),
		"players/playertest/run.go":      text("package playertest; import (`testing`; `versus2048/players`)"),
		"protocol/conn.go":               text("package protocol; import `github.com/gorilla/websocket`"),
		"internal/server/server.go":      text("package server; import `github.com/gorilla/websocket`"),
		"internal/server/server_test.go": text("package server; import `github.com/gorilla/websocket`"),
		"lab/oracle.go":                  text("package lab; import `" + own + "rulesets`"),
		"cmd/arena/main.go":              text("package main; import (`modernc.org/sqlite`; `versus2048/results`)"),
		"rules/move.go":                  text("package rules; import `versus2048/rules/record`"),
		"rules/record/record.go":         text("package record; import `versus2048/rules`"),
		"helpers/helpers.go":             text("package helpers"),
		"results/testdata/broken.go":     text("package broken; import `versus2048/cmd`"),
	},
		"cmd/arena/main.go imports modernc.org/sqlite: beyond the standard library, cmd may import only "+
			"versus2048/..., github.com/urfave/cli/v2, github.com/pelletier/go-toml/v2, github.com/coreos/go-systemd/v22/daemon, golang.org/x/term, golang.org/x/crypto/x509roots/fallback/bundle, golang.org/x/crypto/acme/..., github.com/nats-io/...",
		"helpers/helpers.go: the folder helpers has no import rule: give it one in internal/policy",
		"internal/server/server.go imports github.com/gorilla/websocket: beyond the standard library, internal/server may import only "+
			"versus2048/rules/..., versus2048/players, versus2048/protocol, versus2048/players/clock, versus2048/tournament/..., versus2048/internal/server/..., versus2048/internal/text/plain, golang.org/x/time/rate",
		"lab/oracle.go imports "+own+"rulesets: beyond the standard library, lab may import only "+
			"versus2048/rules/..., versus2048/players/..., versus2048/tournament/..., versus2048/internal/farm, versus2048/internal/parallel, versus2048/lab/picture, "+
			"versus2048/internal/text/terminal, versus2048/internal/disk, gonum.org/v1/gonum/..., gonum.org/v1/plot/..., github.com/edsrzf/mmap-go, github.com/gofrs/flock",
		"rules/board.go imports versus2048/players: rules may import only the standard library",
		"rules/move.go imports versus2048/rules/record: rules may import only the standard library",
	)
}

// The programs of tournaments link nothing of the laboratory, and the arena nothing of assistants.
func TestLinks(t *testing.T) {
	enforce(t, links, fstest.MapFS{
		"cmd/arena/main.go":      text("package main; import (`versus2048/internal/web`; `versus2048/internal/mcp`)"),
		"cmd/arena/main_test.go": text("package main; import `versus2048/lab/census`"),
		"cmd/bot/main.go":        text("package main; import (`versus2048/players`; `versus2048/internal/mcp`)"),
		"cmd/lab/main.go":        text("package main; import `versus2048/lab/census`"),
		"internal/mcp/server.go": text("package mcp"),
		"internal/web/web.go":    text("package web; import `versus2048/players`"),
		"players/perfect.go":     text("package players; import `versus2048/lab/proof`"),
	},
		"cmd/arena links versus2048/internal/mcp, by cmd/arena/main.go",
		"cmd/arena links versus2048/lab/proof, by players/perfect.go", "cmd/bot links versus2048/lab/proof, by players/perfect.go")
}

// unlinked maps programs to the packages that they must not link.
var unlinked = map[string][]string{
	"cmd/arena": {own + "lab/...", own + "internal/mcp/..."},
	"cmd/bot":   {own + "lab/..."},
}

// links rejects packages that a program must not link among those that it imports, directly or by others.
func links(t *testing.T, tree fs.FS) (violations []string) {
	folders := map[string][]source{}
	for _, file := range sources(t, tree) {
		if !file.isTest() {
			folders[file.folder] = append(folders[file.folder], file)
		}
	}
	for _, program := range slices.Sorted(maps.Keys(unlinked)) {
		seen, next := map[string]bool{program: true}, []string{program}
		for ; len(next) > 0; next = next[1:] {
			for _, file := range folders[next[0]] {
				for _, spec := range file.Imports {
					folder, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, "\"`"), own)
					switch {
					case !ours || seen[folder]:
					case slices.ContainsFunc(unlinked[program], func(p string) bool { return within(own+folder, p) }):
						violations = append(violations, fmt.Sprintf("%s links %s%s, by %s", program, own, folder, file.path))
					default:
						seen[folder] = true
						next = append(next, folder)
					}
				}
			}
		}
	}
	return violations
}

// imports rejects imports that a folder's layer does not list.
func imports(t *testing.T, tree fs.FS) []string {
	var violations []string
	for _, file := range sources(t, tree) {
		home := layerOf(file.folder)
		if home == "" {
			violations = append(violations, fmt.Sprintf(
				"%s: the folder %[2]s has no import rule: give it one in internal/policy", file.path, file.folder))
			continue
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !allowed(imported, home, file.isTest()) {
				violations = append(violations, fmt.Sprintf("%s imports %s: %s", file.path, imported, layers[home].rule(home)))
			}
		}
	}
	return violations
}

// layerOf returns the folder whose layer applies to the given folder: the folder itself or the nearest
// one above it that has a layer. The top of the tree is above none. It returns "" if there is none.
func layerOf(folder string) string {
	for above := folder; above != "."; above = path.Dir(above) {
		if _, found := layers[above]; found {
			return above
		}
	}
	if folder == "." {
		return folder
	}
	return ""
}

// allowed reports whether a file of the layer may import the package.
func allowed(imported, home string, test bool) bool {
	if folder, ours := strings.CutPrefix(imported, own); ours && layerOf(folder) == home {
		return true
	}
	paths := layers[home].code
	if test {
		paths = slices.Concat(paths, layers[home].tests, []string{own + "internal/testkit", own + "internal/schema", jsonSchema})
	}
	return standard(imported) || slices.ContainsFunc(paths, func(p string) bool { return within(imported, p) })
}

func (l layer) rule(folder string) string {
	if len(l.code) == 0 {
		return folder + " may import only the standard library"
	}
	return fmt.Sprintf("beyond the standard library, %s may import only %s", folder, strings.Join(l.code, ", "))
}

// within reports whether a path of a layer, named, covers the imported package.
func within(imported, named string) bool {
	if above, all := strings.CutSuffix(named, "..."); all {
		return strings.HasPrefix(imported+"/", above)
	}
	return imported == named
}

// standard reports whether a package is in the standard library: its path does not begin with a host.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") && first+"/" != own
}
