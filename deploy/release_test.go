//go:build hosting

package deploy_test

import (
	"debug/buildinfo"
	"debug/macho"
	"debug/pe"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// The files that `make release` makes of the last commit, here for three of its systems, are the same each
// time, and the files for Linux run on a machine with nothing else.
func TestRelease(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "release")
	said := finished(t, "go", "run", "./release", "--out", folder, "--only", "linux/amd64", "--only", "darwin/arm64", "--only", "windows/amd64")
	if !strings.Contains(said, "_windows_amd64.zip\n") || !strings.Contains(said, "The files are not signed") {
		t.Errorf("the release says\n%s", said)
	}
	t.Run("checksums", func(t *testing.T) {
		finished(t, "sh", "-ec", "cd "+folder+" && sha256sum --check --strict SHA256SUMS && test $(wc -l <SHA256SUMS) = 13")
	})
	t.Run("again", func(t *testing.T) { sameAgain(t, folder) })
	linux, mac, windows := unpacked(t, folder, "linux_amd64"), unpacked(t, folder, "darwin_arm64"), unpacked(t, folder, "windows_amd64")
	t.Run("alone", func(t *testing.T) { playsAlone(t, linux) })
	t.Run("demo", func(t *testing.T) { demoAtOnce(t, folder) })
	t.Run("deb", func(t *testing.T) { debInstalls(t, folder) })
	t.Run("wheel", func(t *testing.T) { wheelInstalls(t, folder) })
	t.Run("image", func(t *testing.T) { imageServes(t, folder) })
	t.Run("processor", func(t *testing.T) { usesProcessor(t, linux) })
	t.Run("sizes", func(t *testing.T) { isSmall(t, linux) })
	t.Run("roots", func(t *testing.T) { bringsRoots(t, linux) })
	t.Run("mac", func(t *testing.T) { isForMac(t, filepath.Join(mac, "arena")) })
	t.Run("windows", func(t *testing.T) { isForWindows(t, filepath.Join(windows, "arena.exe")) })
	t.Run("evening", func(t *testing.T) { clubEvening(t, folder) })
	t.Run("guide", func(t *testing.T) { guideInstalls(t, folder) })
}

// unpacked unpacks the archive for a system, and returns the folder with its files.
func unpacked(t *testing.T, folder, system string) string {
	t.Helper()
	into := t.TempDir()
	finished(t, "sh", "-ec", "cd "+into+` && for a in "`+folder+`"/*_`+system+`.*; do case $a in *.tar.gz) tar xzf "$a";; *.zip) python3 -m zipfile -e "$a" .;; esac; done`)
	found, err := filepath.Glob(filepath.Join(into, "versus2048_*_"+system))
	if err != nil || len(found) != 1 {
		t.Fatalf("the archive for %s has %v, %v", system, found, err)
	}
	for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES", "README.md", "docs/HOSTING.md", "man/arena.1", "man/bot.1", "man/lab.1", "completion/arena.bash", "completion/_bot", "completion/lab.fish", "deploy/nginx.conf", "deploy/arena.service"} {
		if _, err := os.Stat(filepath.Join(found[0], name)); err != nil {
			t.Error(err)
		}
	}
	return found[0]
}

// sameAgain makes the files for Linux again, in another folder.
func sameAgain(t *testing.T, folder string) {
	again := filepath.Join(t.TempDir(), "again")
	finished(t, "go", "run", "./release", "--out", again, "--only", "linux/amd64")
	for _, pattern := range []string{"*_amd64.tar.gz", "*_site.tar.gz", "*.cdx.json", "*.deb", "*.rpm", "*.oci.tar", "*.whl"} {
		files, err := filepath.Glob(filepath.Join(again, pattern))
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		finished(t, "cmp", files[0], filepath.Join(folder, filepath.Base(files[0])))
	}
}

// playsAlone plays over a network in a file system that has the two programs and nothing else. demoAtOnce plays the
// demo in one that has the archive alone.
func playsAlone(t *testing.T, linux string) {
	root := t.TempDir()
	copied(t, root, filepath.Join(linux, "arena"), filepath.Join(linux, "bot"))
	m := bareMachine(t, root)
	arena := m.starts(t, nil, "", "/arena", "serve", "--db", "/arena.db")
	arena.AwaitOutput(t, "arena open")
	m.does(t, "", "/arena", "health")
	for _, name := range []string{"ann", "bob"} {
		bot := m.starts(t, nil, "", "/bot", "run", "greedy", "--name", name, "--reconnect", "1m")
		bot.AwaitOutput(t, "connected")
	}
	// Two bots that connect, and one that the arena starts by running itself.
	m.does(t, "", "/arena", "event", "run", "--server", "http://127.0.0.1:2048", "--size", "2x2", "--matches", "1", "--bot", "ann", "--bot", "bob", "--bot", "random", "--quiet")
	stops(t, arena)
	if got := m.does(t, "", "/arena", "verify", "--db", "/arena.db", "--json"); !strings.Contains(got, `"bad": 0`) {
		t.Errorf("arena verify: %s", got)
	}
}

// usesProcessor checks that the program plays 32 playouts side by side where the processor can.
func usesProcessor(t *testing.T, linux string) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	flags := strings.Fields(regexp.MustCompile(`(?m)^flags\s*:.*$`).FindString(string(info)))
	want := "32 side by side, by AVX-512"
	for _, needed := range []string{"avx512f", "avx512bw", "avx512dq", "avx512vbmi", "avx512_bitalg", "gfni"} {
		if !slices.Contains(flags, needed) {
			want = "one after another"
		}
	}
	var build struct{ Version, Commit, Playouts string }
	if err := json.Unmarshal([]byte(finished(t, filepath.Join(linux, "arena"), "version", "--json")), &build); err != nil {
		t.Fatal(err)
	}
	if build.Playouts != want {
		t.Errorf("playouts %s, want %s", build.Playouts, want)
	}
	if head := strings.TrimSpace(finished(t, "git", "rev-parse", "HEAD")); build.Commit != head || !strings.Contains(filepath.Base(linux), build.Version) {
		t.Errorf("built from %v, want the commit %s", build, head)
	}
}

// isSmall checks that the programs have not grown beyond a limit.
func isSmall(t *testing.T, linux string) {
	for program, most := range map[string]int64{"arena": 61e6, "bot": 28e6, "lab": 63e6} {
		info, err := os.Stat(filepath.Join(linux, program))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > most {
			t.Errorf("%s has %.1f MB, want at most %.0f", program, float64(info.Size())/1e6, float64(most)/1e6)
		}
	}
}

// bringsRoots checks that the programs have certificates with them for TLS, and know no folder of this
// machine.
func bringsRoots(t *testing.T, linux string) {
	for _, program := range []string{"arena", "bot"} {
		info, err := buildinfo.ReadFile(filepath.Join(linux, program))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == "golang.org/x/crypto/x509roots/fallback" }) {
			t.Errorf("%s has no roots of TLS", program)
		}
		for _, want := range []debug.BuildSetting{{Key: "CGO_ENABLED", Value: "0"}, {Key: "-trimpath", Value: "true"}, {Key: "vcs.modified", Value: "false"}, {Key: "GOAMD64", Value: "v1"}} {
			if !slices.Contains(info.Settings, want) {
				t.Errorf("%s was not built with %s=%s", program, want.Key, want.Value)
			}
		}
	}
}

// isForMac checks that a program is for macOS on arm64 and uses only libraries of the system.
func isForMac(t *testing.T, path string) {
	program, err := macho.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	libraries, err := program.ImportedLibraries()
	if err != nil || program.Cpu != macho.CpuArm64 || program.Type != macho.TypeExec {
		t.Errorf("%v, %v, %v", program.Cpu, program.Type, err)
	}
	for _, library := range libraries {
		if !strings.HasPrefix(library, "/usr/lib/") && !strings.HasPrefix(library, "/System/Library/") {
			t.Errorf("needs %s", library)
		}
	}
}

// isForWindows checks that a program is for Windows on amd64.
func isForWindows(t *testing.T, path string) {
	program, err := pe.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if program.Machine != pe.IMAGE_FILE_MACHINE_AMD64 {
		t.Errorf("for machine %x", program.Machine)
	}
}
