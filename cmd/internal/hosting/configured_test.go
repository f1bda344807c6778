package hosting

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
)

// printed returns what serve prints with these arguments and --print-config, or its error.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, problems bytes.Buffer
	app := &cli.App{Name: "arena", Commands: []*cli.Command{ServeCommand()}, Writer: &out, DisableSliceFlagSeparator: true}
	if cmdline.Run(t.Context(), app, append([]string{"arena", "serve", "--print-config"}, args...), &problems) != cmdline.Done {
		return problems.String()
	}
	return out.String()
}

// configFile returns the path of a file with a text.
func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "serve.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// values has values of all flags of serve that are configured, none of them a default.
func values() map[string][]string {
	all := map[string][]string{
		"addr": {"7"}, "http-addr": {":8"}, "local-addr": {"9"}, "metrics-addr": {"10"}, "farm-listen": {"11"},
		"registration": {"invite"}, "webhook": {"https://example.org", "slack=https://example.net"},
	}
	for _, f := range ServeCommand().Flags {
		name := f.Names()[0]
		switch f.(type) {
		case *cli.BoolFlag:
			all[name] = []string{"true"}
		case *cli.IntFlag:
			all[name] = []string{"70"}
		case *cli.Float64Flag:
			all[name] = []string{"0.125"}
		case *cli.DurationFlag:
			all[name] = []string{"1m30.5s"}
		case *cli.StringSliceFlag:
			if all[name] == nil {
				all[name] = []string{`a=exec:x 'y' --z="\w",1`, "[b]"}
			}
		case *cli.StringFlag:
			if all[name] == nil {
				all[name] = []string{`a 'b' "c" \ #`}
			}
		}
	}
	delete(all, "config")
	delete(all, "print-config")
	return all
}

// The printed configuration of all flags gives the same configuration when it is read again, and so do the environment
// variables.
func TestPrintedConfigurationIsTheSame(t *testing.T) {
	var args []string
	for name, list := range values() {
		for _, value := range list {
			args = append(args, "--"+name+"="+value)
		}
	}
	flags := printed(t, args...)
	if n := strings.Count(flags, " # flag\n"); n != len(values()) || strings.Contains(flags, " # default") {
		t.Fatalf("%d of %d flags are printed:\n%s", n, len(values()), flags)
	}
	if got := printed(t, "--config", configFile(t, flags)); got != strings.ReplaceAll(flags, " # flag\n", " # file\n") {
		t.Errorf("the file gives\n%s\nwant\n%s", got, flags)
	}
	for name, list := range values() {
		text := list[0]
		if len(list) > 1 {
			text = `['''` + strings.Join(list, `''', '''`) + `''']`
		}
		t.Setenv("VERSUS2048_SERVE_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_")), text)
	}
	if got := printed(t); got != strings.ReplaceAll(flags, " # flag\n", " # environment\n") {
		t.Errorf("the environment gives\n%s\nwant\n%s", got, flags)
	}
}

// Without any option all keys are comments, so the file changes nothing, whatever it is given with.
func TestDefaultsAreComments(t *testing.T) {
	usual := printed(t)
	if got := printed(t, "--config", configFile(t, usual)); got != usual {
		t.Errorf("the defaults give\n%s\nwant\n%s", got, usual)
	}
}

func TestOrderOfConfiguration(t *testing.T) {
	path := configFile(t, "grace = '1s'\nfarm-lease = '1s'\nstalled-after = '1s'\nbehind-proxy = ['10.0.0.1']\n")
	t.Setenv("VERSUS2048_SERVE_CONFIG", path)
	t.Setenv("VERSUS2048_SERVE_GRACE", "2s")
	t.Setenv("VERSUS2048_SERVE_FARM_LEASE", "2s")
	t.Setenv("VERSUS2048_SERVE_STALLED_AFTER", "")
	t.Setenv("VERSUS2048_NATS", "nats://example.org")
	got := printed(t, "--grace", "3s", "--behind-proxy", "127.0.0.1")
	for _, line := range []string{
		"grace = '3s' # flag", "farm-lease = '2s' # environment", "stalled-after = '1s' # file",
		"behind-proxy = ['127.0.0.1'] # flag", "nats = 'nats://example.org' # environment", "# missing-after = '10m0s' # default",
	} {
		if !strings.Contains(got, "\n"+line+"\n") {
			t.Errorf("%s is missing in\n%s", line, got)
		}
	}
}

// A secret is not printed, wherever it comes from.
func TestSecretsAreNotPrinted(t *testing.T) {
	t.Setenv("VERSUS2048_NATS", `tls://user:se'c"ret@example.org`)
	got := printed(t, "--webhook", "discord=https://example.org/secret?secret=secret", "--acme-directory", "https://a:secret@example.org")
	for _, line := range []string{
		"# nats = 'tls://...@example.org' # environment; its secret is left out: give it by $VERSUS2048_NATS",
		"# webhook = ['discord=https://example.org/...'] # flag; its secret is left out: give it by $VERSUS2048_WEBHOOK",
		"# acme-directory = 'https://...@example.org' # flag; its secret is left out: give it by $VERSUS2048_SERVE_ACME_DIRECTORY",
	} {
		if !strings.Contains(got, "\n"+line+"\n") {
			t.Errorf("%s is missing in\n%s", line, got)
		}
	}
	if strings.Contains(got, "secret@") || strings.Contains(got, "/secret") || strings.Contains(got, "se'c") {
		t.Errorf("a secret is in\n%s", got)
	}
	for _, nats := range []string{"user:secret@example.org:4222", "other.example.org, user:secret@example.org:4222"} {
		if got := printed(t, "--nats", nats); !strings.Contains(got, "\n# nats = '...@example.org:4222' # flag; its secret is left out") {
			t.Errorf("%s is printed in\n%s", nats, got)
		}
	}
}

func TestWrongConfigurations(t *testing.T) {
	for text, want := range map[string]string{
		"\ngrase = '1s'":           "FILE:2: grase: unknown key: did you mean grace?\n",
		"max_connections = 3":      "FILE:1: max_connections: unknown key: did you mean max-connections?\n",
		"config = 'x'":             "FILE:1: config: unknown key (--print-config prints all keys)\n",
		"\n\ngrace = 5":            "FILE:3: grace: is of type integer, want a text in quotes\n",
		"public = 'yes'":           "FILE:1: public: is of type string, want true or false\n",
		"public = true\ngrace='x'": "FILE:2: --grace x: want a duration such as 5s, 500ms or 1m30s\nSee: arena serve --help\n",
		"registration = 'all'":     "FILE:1: --registration \"all\": want closed, invite or open\nSee: arena serve --help\n",
		"max-connections = 0":      "FILE:1: --max-connections 0: want 1 or more\nSee: arena serve --help\n",
		"addr.host = 'a'":          "FILE:1: addr.host: unknown key: addr is a text in quotes\n",
		"bot.name = 'a'":           "FILE:1: bot.name: unknown key: bot is a list of texts, such as [\"random\", \"a=greedy\"]\n",
		"\n[addr]\nhost = 'a'":     "FILE:2: addr: is of type table, want a text in quotes\n",
		"[[addr.a]]\nhost = 'a'":   "FILE:1: addr.a: unknown key: addr is a text in quotes\n",
	} {
		path := configFile(t, text)
		if got := strings.ReplaceAll(printed(t, "--config", path), path, "FILE"); got != "arena: "+want {
			t.Errorf("%q: %swant %s", text, got, want)
		}
	}
	for variable, want := range map[string]string{
		"PUBLIC=maybe":       "$VERSUS2048_SERVE_PUBLIC: --public maybe: want true or false\nSee: arena serve --help\n",
		"BOT=[1]":            "$VERSUS2048_SERVE_BOT:1: bot: is of type integer, want a list of texts, such as [\"random\", \"a=greedy\"]\n",
		"MAX_PER_ADDRESS=-1": "$VERSUS2048_SERVE_MAX_PER_ADDRESS: --max-per-address -1: want 1 or more\nSee: arena serve --help\n",
	} {
		t.Run(variable, func(t *testing.T) {
			name, value, _ := strings.Cut(variable, "=")
			t.Setenv("VERSUS2048_SERVE_"+name, value)
			if got := printed(t); got != "arena: "+want {
				t.Errorf("%swant %s", got, want)
			}
		})
	}
}
