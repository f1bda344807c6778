package hosting

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
)

// onContext calls do with the flags of a command line of serve.
func onContext(t *testing.T, line string, do func(c *cli.Context)) {
	t.Helper()
	serve := ServeCommand()
	serve.Action = func(c *cli.Context) error {
		do(c)
		return nil
	}
	app := &cli.App{Name: "arena", Commands: []*cli.Command{serve}, Writer: io.Discard, DisableSliceFlagSeparator: true}
	var problems bytes.Buffer
	if code := cmdline.Run(t.Context(), app, strings.Fields(line), &problems); code != cmdline.Done {
		t.Fatalf("%s: %s", line, &problems)
	}
}

// The address of an arena follows from the flags for its visitors. A port alone is for the usual host.
func TestListenAddress(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  DefaultAddress,
		"--addr 3000":                       "127.0.0.1:3000",
		"--addr 0":                          "127.0.0.1:0",
		"--addr :3000":                      ":3000",
		"--public":                          ":2048",
		"--public --addr 3000":              ":3000",
		"--addr 3000 --public":              ":3000",
		"--public --addr 127.0.0.1:3000":    "127.0.0.1:3000",
		"--public --behind-proxy 127.0.0.1": DefaultAddress,
		"--public --behind-proxy 127.0.0.1 --addr 3000":      "127.0.0.1:3000",
		"--public --origin https://arena.example.org":        DefaultAddress,
		"--public --origin http://arena.example.org:2048":    ":2048",
		"--acme arena.example.org":                           ":443",
		"--public --acme arena.example.org":                  ":443",
		"--public --tls-cert a --tls-key b":                  ":443",
		"--public --tls-cert a --tls-key b --addr 8443":      ":8443",
		"--require-tokens --public --tls-cert a --tls-key b": ":443",
	} {
		onContext(t, "arena serve "+line, func(c *cli.Context) {
			if got := listenAddress(c); got != want {
				t.Errorf("serve %s: %s, want %s", line, got, want)
			}
		})
	}
	onContext(t, "arena serve --acme a.example.org --metrics-addr 9248 --local-addr 2049 --http-addr 80 --farm-listen 4223", func(c *cli.Context) {
		for flag, want := range map[string]string{"metrics-addr": "127.0.0.1:9248", "local-addr": "127.0.0.1:2049", "http-addr": ":80", "farm-listen": "127.0.0.1:4223"} {
			if got := c.String(flag); got != want {
				t.Errorf("--%s is %s, want %s", flag, got, want)
			}
		}
	})
}

// usedAddresses are the addresses of the commands in the guide for hosts, in README.md and in deploy.
var usedAddresses = map[string]string{
	"":                                       DefaultAddress,
	"--addr :2048 --public --require-tokens": ":2048",
	"--addr :2048":                           ":2048",
	"--public":                               ":2048",
	"--public --acme arena.example.org --acme-email you@example.org --http-addr :80":                     ":443",
	"--public --tls-cert fullchain.pem --tls-key privkey.pem":                                            ":443",
	"--public --behind-proxy 127.0.0.1 --origin https://arena.example.org":                               DefaultAddress,
	"--public --behind-proxy 127.0.0.1 --origin https://arena.example.org --metrics-addr 127.0.0.1:9248": DefaultAddress,
	"--webhook https://alerts.example.org/arena --webhook-secret-file arena.webhook":                     DefaultAddress,
	"--missing-after 2h --faulty 5/20 --stalled-after 5m --disk-free 200MiB":                             DefaultAddress,
	"--public --registration invite":                                                                     ":2048",
	"--no-resume":                                                                                        DefaultAddress,
}

// served matches a command that serves an arena, or the options of one, in a document or a file for hosts.
var served = regexp.MustCompile(`(?:arena serve|ARENA_OPTIONS=|CMD \["serve",)((?: ?[^\n` + "`" + `|&>]*)?)`)

// Every command that the files for hosts show listens where it always has.
func TestDocumentedCommandsKeepTheirAddresses(t *testing.T) {
	files, err := filepath.Glob("../../../deploy/*")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range append(files, "../../../docs/HOSTING.md", "../../../docs/BOTS.md", "../../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil || strings.HasSuffix(file, ".go") {
			continue // a folder, or a test
		}
		joined := strings.NewReplacer("' \\\n  '", " ", "\\\n", " ", "\n--no", " --no").Replace(string(text))
		for _, m := range served.FindAllStringSubmatch(joined, -1) {
			words := strings.Fields(strings.NewReplacer(`"`, " ", ",", " ", "]", " ", "'", " ", "$ARENA_OPTIONS", " ").Replace(m[1]))
			if len(words) > 0 && !strings.HasPrefix(words[0], "-") || slices.ContainsFunc([]string{"--help", "--db", "--config", "--print-config"}, func(w string) bool { return slices.Contains(words, w) }) {
				words = nil // a sentence, the unit of systemd with its options elsewhere, or a file's options
			}
			options := strings.Join(words, " ")
			want, known := usedAddresses[options]
			if !known {
				t.Errorf("%s: arena serve %s: its address is not in this test", file, options)
				continue
			}
			found[options] = true
			onContext(t, "arena serve "+options, func(c *cli.Context) {
				if got := listenAddress(c); got != want {
					t.Errorf("%s: arena serve %s listens at %s, want %s", file, options, got, want)
				}
			})
		}
	}
	for options := range usedAddresses {
		if !found[options] {
			t.Errorf("no document has: arena serve %s", options)
		}
	}
}

// listenerAt is a listener with an address.
type listenerAt struct {
	net.Listener
	at string
}

func (l listenerAt) Addr() net.Addr {
	address, err := net.ResolveTCPAddr("tcp", l.at)
	if err != nil {
		panic(err)
	}
	return address
}

// The log has the addresses that others can type, and warnings about obstacles and dangers for them.
func TestEntranceTells(t *testing.T) {
	const clear, look, alone = "travel in the clear", "other people see no pages", "only this machine reaches the arena"
	for _, test := range []struct {
		name     string
		entrance entrance
		warnings []string
	}{
		{"this machine", entrance{local: listenerAt{at: DefaultAddress}}, nil},
		{"public", entrance{local: listenerAt{at: "192.168.1.5:2048"}, public: true}, []string{clear}},
		{"not public", entrance{local: listenerAt{at: "192.168.1.5:2048"}}, []string{look, clear}},
		{"public on loopback", entrance{local: listenerAt{at: DefaultAddress}, public: true}, []string{alone}},
		{"proxy", entrance{local: listenerAt{at: DefaultAddress}, public: true, proxy: true, named: []string{"https://arena.example.org/"}}, nil},
		{"TLS", entrance{local: listenerAt{at: DefaultAddress}, tls: listenerAt{at: "192.168.1.5:443"}, public: true, names: []string{"arena.example.org"}}, nil},
	} {
		var text bytes.Buffer
		test.entrance.tell(newLog(&text, slog.LevelInfo), "arena.db")
		if !strings.Contains(text.String(), "arena open") || strings.Count(text.String(), "WARN") != len(test.warnings) {
			t.Errorf("%s: %s", test.name, &text)
		}
		for _, warning := range test.warnings {
			if !strings.Contains(text.String(), warning) {
				t.Errorf("%s: no %q in %s", test.name, warning, &text)
			}
		}
	}
	everywhere := entrance{local: listenerAt{at: "0.0.0.0:2048"}, public: true}
	for _, address := range everywhere.addresses() {
		if strings.Contains(address, "0.0.0.0") {
			t.Errorf("nobody can type %s", address)
		}
	}
	machine := []net.Addr{}
	for _, text := range []string{"127.0.0.1/8", "fd00::5/64", "fe80::1/64", "192.168.1.5/24", "169.254.0.1/16", "::1/128"} {
		ip, network, err := net.ParseCIDR(text)
		if err != nil {
			t.Fatal(err)
		}
		machine = append(machine, &net.IPNet{IP: ip, Mask: network.Mask})
	}
	if got, want := outside(machine, "http://", "2048"), []string{"http://192.168.1.5:2048", "http://[fd00::5]:2048"}; !slices.Equal(got, want) {
		t.Errorf("others can type %q, want %q", got, want)
	}
}
