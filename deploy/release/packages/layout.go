package main

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// installed is a file of a package.
type installed struct {
	path    string // on the machine
	content []byte
	program bool
	config  bool // the host may change it, and upgrades keep the changes
}

// programs are the programs of the packages.
var programs = []string{"arena", "bot", "lab"}

// documentFolder is the folder of a package's documents.
const documentFolder = "/usr/share/doc/versus2048/"

// unitFolder is the folder of a package's units for systemd.
const unitFolder = "/usr/lib/systemd/system/"

// completions returns the paths at which shells look for the completion of a program. The keys are the names of the
// files in the archive.
func completions(program, format string) map[string]string {
	zsh := "/usr/share/zsh/site-functions/_"
	if format == "deb" {
		zsh = "/usr/share/zsh/vendor-completions/_"
	}
	return map[string]string{
		"completion/" + program + ".bash": "/usr/share/bash-completion/completions/" + program,
		"completion/_" + program:          zsh + program,
		"completion/" + program + ".fish": "/usr/share/fish/vendor_completions.d/" + program + ".fish",
	}
}

// units are the files for systemd that a package installs.
var units = []string{"arena.service", "arena-backup.service", "arena-backup.timer"}

// configuration is the file of the archive with the arena's options.
const configuration = "deploy/arena.default"

// layout returns the files of the archive as a package of the format has them, sorted by their paths. It returns an
// error if the archive lacks a file that every package has at a place of its own.
func layout(a *archive, format string) (files []installed, err error) {
	places := map[string]string{}
	for _, program := range programs {
		places[program] = "/usr/bin/" + program
		places["man/"+program+".1"] = "/usr/share/man/man1/" + program + ".1"
		for name, place := range completions(program, format) {
			places[name] = place
		}
	}
	needed := append(slices.Sorted(maps.Keys(places)), "LICENSE", configuration)
	for _, unit := range units {
		needed = append(needed, "deploy/"+unit)
	}
	if err := a.need(needed...); err != nil {
		return nil, err
	}
	for name, content := range a.files {
		if place, found := places[name]; found {
			files = append(files, installed{path: place, content: content, program: slices.Contains(programs, name)})
		} else if path.Dir(name) != "completion" { // PowerShell's
			files = append(files, installed{path: documentFolder + name, content: content})
		}
	}
	files = append(files, installed{path: documentFolder + "copyright", content: a.files["LICENSE"]})
	for _, unit := range units {
		files = append(files, installed{path: unitFolder + unit, content: packaged(a.files["deploy/"+unit])})
	}
	files = append(files, installed{path: "/etc/default/arena", content: a.files[configuration], config: true})
	slices.SortFunc(files, func(a, b installed) int { return strings.Compare(a.path, b.path) })
	return files, nil
}

// packaged returns a unit with the places of a package's files: hosts put their own files below /usr/local and /etc.
func packaged(unit []byte) []byte {
	places := strings.NewReplacer("/usr/local/", "/usr/", "/etc/systemd/system/", unitFolder)
	return []byte(places.Replace(string(unit)))
}
