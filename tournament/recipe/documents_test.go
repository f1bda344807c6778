package recipe_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"versus2048/tournament"
)

// write makes TestDocumentsHaveEverySetting write the tables: go test ./tournament/recipe -write
var write = flag.Bool("write", false, "write the tables of settings into the documents")

// The documents have the tables of settings as the table in the program says.
func TestDocumentsHaveEverySetting(t *testing.T) {
	for path, want := range map[string]string{"../../docs/tournaments.md": flagTable(), "../../docs/API.md": requestTable()} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(want, "\n")
		before, rest, found := strings.Cut(string(text), header+"\n")
		old, after, ended := strings.Cut(rest, "\n\n")
		if !found || !ended {
			t.Errorf("%s has no table %s", path, header)
			continue
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
}

// flagTable is the table for those who read docs/tournaments.md.
func flagTable() string {
	text := "| flag, and key in a file | value, if none is given | effect |\n|---|---|---|\n"
	for _, s := range tournament.AllSettings() {
		if s.RequestOnly {
			continue
		}
		var e tournament.Event
		usual := s.Otherwise
		if usual == "" && s.SetUsual(&e) == nil {
			usual = s.Text(&e)
		}
		text += fmt.Sprintf("| `--%s`%s | %s | %s |\n", s.Name, otherKey(s), usual, s.Meaning())
	}
	return text
}

// otherKey returns the key of a setting in a file, if it is not the flag's name with underscores.
func otherKey(s tournament.Setting) string {
	if key := s.FileKey(); key != strings.ReplaceAll(s.Name, "-", "_") {
		return fmt.Sprintf(", `%s`", key)
	}
	return ""
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
