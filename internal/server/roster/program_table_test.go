package roster_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"versus2048/internal/server/roster"
)

func TestSplit(t *testing.T) {
	table, bots, err := roster.SplitCommands([]string{
		"a=exec:python3 me.py --depth=4,5 'with spaces.txt'", "mcts:playouts=10", "b=greedy", `c=exec:"/opt/my bot/run" \$HOME "$HOME" '|' cat`, "d=e",
	})
	want := roster.Commands{
		"a": {"python3", "me.py", "--depth=4,5", "with spaces.txt"},
		"c": {"/opt/my bot/run", "$HOME", "$HOME", "|", "cat"},
	}
	if err != nil || !reflect.DeepEqual(table, want) || !reflect.DeepEqual(bots, []string{"a", "mcts:playouts=10", "b=greedy", "c", "d=e"}) {
		t.Errorf("%q, %q, %v", table, bots, err)
	}
	for bot, why := range map[string]string{
		"exec:python3 me.py": "name", "=exec:python3 me.py": "name", "a=exec:": "empty", "a=exec:  ": "empty", "a=exec:'x": "quote",
		"a=exec:cd x && python3 me.py": "cd is for a shell, and there is none", "a=exec:cd x; ./me": "shell", "a=exec:./me && ./you": "&& is for a shell",
		"a=exec:./me | tee log": "| is for a shell", "a=exec:./me 2> log": "2> is for a shell", "a=exec:./me; ./you": "shell",
	} {
		if _, _, err := roster.SplitCommands([]string{bot}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: error %v, want one that says %s", bot, err, why)
		}
	}
	if _, _, err := roster.SplitCommands([]string{"a=exec:x", "a=exec:y"}); err == nil || !strings.Contains(err.Error(), "two commands") {
		t.Errorf("error %v", err)
	}
}

func TestIsCommand(t *testing.T) {
	for bot, want := range map[string]bool{
		"exec:x": true, "a=exec:x": true, "exec:": true, "a=exec:": true, "=exec:x": true, "exec:a=b": true,
		"exec": false, "a=exec": false, "greedy": false, "a=greedy": false, "a=b=exec:x": false, "executive:x": false, "": false,
	} {
		if roster.IsCommand(bot) != want {
			t.Errorf("%q: want %v", bot, want)
		}
	}
}

// A text that looks like a command is taken for one without the prefix exec:.
func TestGuess(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mybot", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"python3 me.py": "python3 me.py", "./me": "./me", "bots/me": "bots/me", "mybot": "./mybot", "other": "", "mcts": "", "": "",
	} {
		if command, ok := roster.GuessCommand(text, true); command != want || ok != (want != "") {
			t.Errorf("%q: command %q, %v, want %q", text, command, ok, want)
		}
	}
	if command, ok := roster.GuessCommand("mybot", false); ok {
		t.Errorf("without files: %q", command)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("a=exec:python3 'me.py'")
	f.Add(`a=exec:"x\`)
	f.Fuzz(func(t *testing.T, bot string) {
		table, bots, err := roster.SplitCommands([]string{bot})
		if err != nil {
			return
		}
		if roster.IsCommand(bots[0]) || roster.IsCommand(bot) != (len(table) == 1) {
			t.Errorf("%q is split into %q and %q", bot, table, bots)
		}
	})
}
