package recipe_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"versus2048/tournament"
)

// write makes TestDocumentHasEverySetting write the table: go test ./tournament/recipe -write
var write = flag.Bool("write", false, "write the table of settings into docs/API.md")

// docs/API.md has the keys of the settings as the table in the program says.
func TestDocumentHasEverySetting(t *testing.T) {
	const path = "../../docs/API.md"
	want := requestTable()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(want, "\n")
	before, rest, found := strings.Cut(string(text), header+"\n")
	old, after, ended := strings.Cut(rest, "\n\n")
	if !found || !ended {
		t.Fatalf("%s has no table %s", path, header)
	}
	switch old = header + "\n" + old + "\n"; {
	case old == want:
	case *write:
		if err := os.WriteFile(path, []byte(before+want+"\n"+after), 0o600); err != nil {
			t.Error(err)
		}
	default:
		t.Errorf("%s has the table\n%s\nwant\n%s\nWrite it by: go test ./tournament/recipe -write", path, old, want)
	}
}

// requestTable is the table for those who read docs/API.md: the keys of each object, with the flags that explain them.
func requestTable() string {
	keys, tables := map[string][]string{}, []string{}
	for _, s := range tournament.AllSettings() {
		table, key, found := cutLast(s.RequestKey())
		if !found || table == "clock" {
			continue
		}
		if keys[table] == nil {
			tables = append(tables, table)
		}
		meaning := "`--" + s.Name + "`"
		if s.RequestOnly {
			meaning = s.Help
		}
		keys[table] = append(keys[table], fmt.Sprintf("`%s` (%s)", key, meaning))
	}
	text := "| in | keys, with the setting of each |\n|---|---|\n"
	for _, table := range tables {
		text += fmt.Sprintf("| `%s` | %s |\n", table, strings.Join(keys[table], ", "))
	}
	return text
}

// cutLast cuts the last part of a key off.
func cutLast(key string) (table, last string, found bool) {
	i := strings.LastIndex(key, ".")
	if i < 0 {
		return "", key, false
	}
	return key[:i], key[i+1:], true
}
