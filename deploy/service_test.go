//go:build hosting

package deploy_test

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// units are the files for systemd.
func units() []string {
	return []string{"arena.service", "arena-backup.service", "arena-backup.timer"}
}

// systemd understands every line of the units, and finds that the services can do little beyond their
// purpose: an exposure of 10 would be a service that may do all that root may.
func TestUnits(t *testing.T) {
	folder, arena := t.TempDir(), built(t, "arena")
	var paths []string
	for _, name := range units() {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(file(t, name), "/usr/local/bin/arena", arena)), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if said := finished(t, "systemd-analyze", append([]string{"verify"}, paths...)...); said != "" {
		t.Errorf("systemd-analyze verify: %s", said)
	}
	for i, threshold := range []string{"20", "10"} { // tenths
		finished(t, "systemd-analyze", "security", "--offline=true", "--threshold="+threshold, paths[i])
	}
}

// setting returns the value of a key in a unit.
func setting(t *testing.T, unit, key string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + key + `=(.*)$`).FindStringSubmatch(file(t, unit))
	if found == nil {
		t.Fatalf("%s does not set %s", unit, key)
	}
	return found[1]
}

// guideInstalls follows docs/HOSTING.md on installing and on the service, on a machine with the files of a
// release. systemd does not run there: the test runs the command of the unit, as the unit's user and with the
// unit's options, and learns the notifications for systemd.
func guideInstalls(t *testing.T, release string) {
	m := freshMachine(t)
	copied(t, filepath.Join(filepath.Dir(m.root), "tmp"), release)
	const began = "systemctl start"
	script := guideBlocks(t, "Installing") + guideBlocks(t, "As a service")
	before, after, found := strings.Cut(script, began)
	if !found {
		t.Fatalf("the guide does not begin the service by %s", began)
	}
	_, after, _ = strings.Cut(after, "\n")
	state, user := "/var/lib/"+setting(t, "arena.service", "StateDirectory"), setting(t, "arena.service", "User")
	m.does(t, "", "sh", "-exc", "export SYSTEMD_OFFLINE=1\ncd /tmp/release\n"+before+
		"install -d -o "+user+" -m "+setting(t, "arena.service", "StateDirectoryMode")+" "+state+" "+state+"/backups")

	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(m.run, "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer systemd.Close()
	if err := os.Chmod(filepath.Join(m.run, "notify"), 0o777); err != nil {
		t.Fatal(err)
	}
	arena := m.starts(t, []string{"NOTIFY_SOCKET=/run/notify"}, user, "/bin/sh", "-ec", "cd "+state+"\n. "+strings.TrimPrefix(setting(t, "arena.service", "EnvironmentFile"), "-")+"\nexec "+setting(t, "arena.service", "ExecStart"))
	hears(t, systemd, "READY=1")
	m.does(t, "", "sh", "-exc", "export SYSTEMD_OFFLINE=1\n"+after)
	m.does(t, user, strings.Fields(setting(t, "arena-backup.service", "ExecStart"))...)
	if backups, err := filepath.Glob(filepath.Join(filepath.Dir(m.root), "changes", state, "backups", "arena-*")); err != nil || len(backups) == 0 {
		t.Errorf("backups %v, %v", backups, err)
	}
	stops(t, arena)
	hears(t, systemd, "STOPPING=1")
}

// hears waits up to a minute until systemd is told something.
func hears(t *testing.T, systemd *net.UnixConn, want string) {
	t.Helper()
	if err := systemd.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 100)
	n, err := systemd.Read(said)
	if err != nil || string(said[:n]) != want {
		t.Errorf("systemd hears %q, %v; want %q", said[:n], err, want)
	}
}

// guideBlocks returns the indented blocks in a section of docs/HOSTING.md.
func guideBlocks(t *testing.T, section string) string {
	t.Helper()
	guide, err := os.ReadFile("../docs/HOSTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(guide), "\n## "+section+"\n")
	if !found {
		t.Fatalf("docs/HOSTING.md has no section %s", section)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var blocks strings.Builder
	for line := range strings.Lines(text) {
		if command, indented := strings.CutPrefix(line, "    "); indented {
			blocks.WriteString(command)
		}
	}
	return blocks.String()
}
