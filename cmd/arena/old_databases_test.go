package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
	"versus2048/results/parquet"
)

// oldSums has the first 16 digits of the SHA-256 sums of the outputs of commands about the databases of older releases,
// by the database and the command. They were made by commit bb34aeeb. A change of an output on purpose, or a newer
// version of the library that writes Parquet files, needs new sums here.
var oldSums = map[string]string{
	"version1.db export 1":                  "275cc6e08b2e0e3f",
	"version1.db export 1 --format parquet": "337c16c6baebad77",
	"version1.db games 1 csv":               "53161d61ead56dd2",
	"version1.db games 1 json":              "9f475599f175701e",
	"version1.db games 1 markdown":          "130ce9c28e7ca8cd",
	"version1.db games 1 table":             "0a05de68d70181f4",
	"version1.db rating csv":                "dec468cd88977c98",
	"version1.db rating json":               "01730585af78f9d2",
	"version1.db rating markdown":           "1032eb17f9f2a940",
	"version1.db rating table":              "5f965864c6c485ef",
	"version1.db stats 1 csv":               "6328cf597f808937",
	"version1.db stats 1 json":              "99bac93522b2fda7",
	"version1.db stats 1 markdown":          "279d930b6c2fcb41",
	"version1.db stats 1 table":             "49cb0db196057ec9",
	"version4.db export 1":                  "20689856903f3540",
	"version4.db export 1 --format parquet": "fc51a6b7b472ccb2",
	"version4.db export 2":                  "1b61b6a41f7f9980",
	"version4.db export 2 --format parquet": "31af66dbf0ef51b4",
	"version4.db games 1 csv":               "c6efc38fff5ed65a",
	"version4.db games 1 json":              "9ec71e1e46dcb27a",
	"version4.db games 1 markdown":          "13eb75120c8415c9",
	"version4.db games 1 table":             "62afb6a2d71683e6",
	"version4.db games 2 csv":               "7e9f930fcb3c139b",
	"version4.db games 2 json":              "010705bf2edecd4c",
	"version4.db games 2 markdown":          "e21aca77f0924745",
	"version4.db games 2 table":             "ecb0675fe10d86d3",
	"version4.db rating csv":                "cc56b7c9e6530946",
	"version4.db rating json":               "61203567242d62a2",
	"version4.db rating markdown":           "fca1427d9d557f8d",
	"version4.db rating table":              "bd01798cdf48ab5e",
	"version4.db stats 1 csv":               "3a3098ad105468b0",
	"version4.db stats 1 json":              "08eea573e38a973e",
	"version4.db stats 1 markdown":          "899c4d1acba3905c",
	"version4.db stats 1 table":             "14e3a11a6553b4fa",
	"version4.db stats 2 csv":               "4f8621eb2e1367e6",
	"version4.db stats 2 json":              "65c7f3f21f6f4aad",
	"version4.db stats 2 markdown":          "dba58cd765f87b31",
	"version4.db stats 2 table":             "f93fcc09e3b03892",
	"version7.db export 1":                  "59e3f857e19eb78c",
	"version7.db export 1 --format parquet": "8a626598229187dc",
	"version7.db export 2":                  "67a3cff4f383d97c",
	"version7.db export 2 --format parquet": "567132c615a6c04d",
	"version7.db games 1 csv":               "c39c5b21f0f65a6a",
	"version7.db games 1 json":              "e82de85938e01b06",
	"version7.db games 1 markdown":          "c3387157645c541b",
	"version7.db games 1 table":             "f67dc1af945cf7eb",
	"version7.db games 2 csv":               "b588a12ef9733a85",
	"version7.db games 2 json":              "8c8ce21192e4aaec",
	"version7.db games 2 markdown":          "3ea9de3fb42e74bf",
	"version7.db games 2 table":             "e067b1ee0f6a1709",
	"version7.db rating csv":                "2a13b75ce5182ba8",
	"version7.db rating json":               "4ffeca774c626a2a",
	"version7.db rating markdown":           "55bdfdc9d50e7dbe",
	"version7.db rating table":              "9a4bf9e8441ff009",
	"version7.db stats 1 csv":               "2e3cb0f01ccaebdd",
	"version7.db stats 1 json":              "f9e91d9cdd35a579",
	"version7.db stats 1 markdown":          "d934ed2ff2ed695b",
	"version7.db stats 1 table":             "a3ca4d92f44572f1",
	"version7.db stats 2 csv":               "0e953b5a06333681",
	"version7.db stats 2 json":              "eb167f50fd9273b4",
	"version7.db stats 2 markdown":          "b684ab265fef185c",
	"version7.db stats 2 table":             "2d11217b23571063",
}

// fractions are numbers with more digits than processors agree on.
var fractions = regexp.MustCompile(`-?[0-9]+\.[0-9]{7,}`)

// The events of databases of older releases have the same exports, lists of games, standings and ratings as ever, in
// each format.
func TestOldDatabases(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if v := cmdline.Version(); v != "devel" {
		t.Fatalf("the tests are of version %q, which Parquet files contain: the sums are of \"devel\"", v)
	}
	paths, err := filepath.Glob(filepath.Join("..", "..", "results", "testdata", "version*.db"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("databases %q, error %v", paths, err)
	}
	sums := map[string]string{}
	for _, path := range paths {
		for command, output := range outputsOf(t, path) {
			output = fractions.ReplaceAllStringFunc(output, rounded)
			sums[filepath.Base(path)+" "+command] = fmt.Sprintf("%x", sha256.Sum256([]byte(output)))[:16]
		}
	}
	if !maps.Equal(sums, oldSums) {
		for _, command := range slices.Sorted(maps.Keys(sums)) {
			if sums[command] != oldSums[command] {
				t.Errorf("want %q of\n\t%q: %q,", oldSums[command], command, sums[command])
			}
		}
		t.Errorf("%d sums, want %d", len(sums), len(oldSums))
	}
}

// outputsOf returns the outputs of commands about a database, by the command.
func outputsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "arena.db") // arena rating brings it up to date
	if err := os.WriteFile(db, content, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := results.OpenReader(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	events, err := store.Events(t.Context())
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	outputs := map[string]string{}
	for _, e := range events {
		id := strconv.FormatInt(e.ID, 10)
		outputs["export "+id] = appOutput(t, "export", "--db", db, id, "-")
		outputs["export "+id+" --format parquet"] = tablesOf(t, db, id)
		for _, form := range []string{"table", "json", "csv", "markdown"} {
			outputs["stats "+id+" "+form] = appOutput(t, "stats", "--db", db, "--format", form, id)
			outputs["games "+id+" "+form] = appOutput(t, "games", "--db", db, "--format", form, "--event", id)
		}
	}
	for _, form := range []string{"table", "json", "csv", "markdown"} {
		outputs["rating "+form] = appOutput(t, "rating", "--db", db, "--format", form, "--all")
	}
	return outputs
}

// tablesOf exports an event as Parquet files, and returns their content.
func tablesOf(t *testing.T, db, event string) string {
	t.Helper()
	folder := t.TempDir()
	appOutput(t, "export", "--db", db, "--format", "parquet", event, folder)
	var all strings.Builder
	for _, name := range []string{parquet.GamesFile, parquet.PliesFile, parquet.SearchesFile} {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(content)
	}
	return all.String()
}

// appOutput runs a command of the arena in this process, and returns what it printed.
func appOutput(t *testing.T, args ...string) string {
	t.Helper()
	var out, problems bytes.Buffer
	a := atTestAddress(app())
	a.Writer, a.ErrWriter = &out, io.Discard
	if code := cmdline.Run(t.Context(), a, append([]string{"arena"}, args...), &problems); code != 0 {
		t.Fatalf("arena %s exits with %d: %s", strings.Join(args, " "), code, &problems)
	}
	return out.String()
}

// rounded returns a number with 6 digits after the point.
func rounded(number string) string {
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number
	}
	return strconv.FormatFloat(value, 'f', 6, 64)
}
