//go:build hosting

package deploy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// machine is a file system of its own with a network of its own, which nothing outside can reach. Programs
// run in it as on another machine, with the kernel and the processes of this one.
type machine struct {
	root   string // of the file system
	run    string // its folder /run as seen from here; "" if it has none
	holder program
}

// bareMachine returns a machine that has nothing but the files in a folder, and the kernel's files for devices
// and processes, which every container has.
func bareMachine(t *testing.T, root string) *machine {
	t.Helper()
	return held(t, &machine{root: root}, fmt.Sprintf("cd %s\nmkdir dev proc\n%s", root, strings.ReplaceAll(kernelFiles, "ROOT", ".")))
}

// kernelFiles mounts the files of the kernel that every machine has.
const kernelFiles = "mount --rbind /proc ROOT/proc\nmount --rbind /dev ROOT/dev"

// freshMachine returns a machine that has the programs and files of this one, except for those in /run and
// /tmp. Changes to its files do not change this machine.
func freshMachine(t *testing.T) *machine {
	t.Helper()
	work := t.TempDir()
	m := &machine{root: filepath.Join(work, "root"), run: filepath.Join(work, "run")}
	for _, folder := range []string{"root", "run", "tmp", "changes", "work"} {
		if err := os.Mkdir(filepath.Join(work, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return held(t, m, fmt.Sprintf(`cd %s
		mount -t overlay overlay -o lowerdir=/,upperdir=changes,workdir=work root
		mount --bind run root/run
		mount --bind tmp root/tmp
		chmod 1777 root/tmp
		%s`, work, strings.ReplaceAll(kernelFiles, "ROOT", "root")))
}

// held starts the process that keeps a machine's namespaces, after a script has mounted the machine's file
// systems.
func held(t *testing.T, m *machine, mounts string) *machine {
	t.Helper()
	m.holder = started(t, nil, "unshare", "--net", "--mount", "--propagation", "private", "sh", "-ec", "ip link set lo up\n"+mounts+"\necho ready\nexec sleep infinity")
	m.holder.AwaitOutput(t, "ready")
	return m
}

// command returns a command line that runs a program in the machine, as a user such as 2048:2048 or arena.
func (m *machine) command(user string, words ...string) []string {
	enter := []string{"nsenter", "--target", strconv.Itoa(m.holder.Process.Pid), "--net", "--mount", "chroot"}
	if user != "" {
		enter = append(enter, "--userspec="+user)
	}
	return append(append(enter, m.root), words...)
}

// does runs a program to its end and returns its output.
func (m *machine) does(t *testing.T, user string, words ...string) string {
	t.Helper()
	line := m.command(user, words...)
	return finished(t, line[0], line[1:]...)
}

// starts starts a program. The environment is all that it has.
func (m *machine) starts(t *testing.T, environment []string, user string, words ...string) program {
	t.Helper()
	line := m.command(user, append(append([]string{"/usr/bin/env", "-i"}, environment...), words...)...)
	if m.run == "" { // it has no env
		line = append(append([]string{"env", "-i"}, append(environment, "PATH="+os.Getenv("PATH"))...), m.command(user, words...)...)
	}
	return started(t, nil, line[0], line[1:]...)
}

// stops stops a program as systemd and Docker do. It must end well.
func stops(t *testing.T, p program) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.awaited(t); err != nil {
		t.Errorf("%s ends with %v", strings.Join(p.Args, " "), err)
	}
}

// copied copies files into a folder.
func copied(t *testing.T, folder string, paths ...string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", append(append([]string{"-r"}, paths...), folder)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
