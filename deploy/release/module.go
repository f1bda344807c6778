package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
)

// next lists the steps after the module has got another path.
const next = "Check the tree and commit it:\n" +
	"  go build ./... && go vet ./... && go test ./internal/policy && bash .ci/run format\n" +
	"Then push it to the repository %[1]s, with a tag such as v1.0.0. Others get it by\n" +
	"  go get %[1]s@latest\n" +
	"and docs/GO.md shows how they use it. The page of the Python package links to files below %[2]s.\n"

// moduleCommand gives the project's module its public import path, everywhere in the tree.
func moduleCommand() *cli.Command {
	return &cli.Command{
		Name:      "module",
		Usage:     "give the module its public import path: make module MODULE=example.org/you/versus2048",
		ArgsUsage: "PATH",
		Action: func(c *cli.Context) error {
			path := c.Args().First()
			if c.Args().Len() != 1 || path == "" {
				return errors.New("which path is the module to have? make module MODULE=example.org/you/versus2048")
			}
			before, files, err := rename(".", path)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "The module is %s now; it was %s. %d files were changed.\n", path, before, files)
			fmt.Fprintf(c.App.Writer, next, path, filesOf(path))
			return nil
		},
	}
}

var (
	// host matches the first part of a path that Go can fetch modules from.
	host = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)
	// part matches each further part.
	part = regexp.MustCompile(`^[A-Za-z0-9_~-]([A-Za-z0-9._~-]*[A-Za-z0-9_~-])?$`)
	// major matches a last part that stands for a major version.
	major = regexp.MustCompile(`^v[0-9]+$`)
	// allowed matches the major versions that Go allows.
	allowed = regexp.MustCompile(`^v([2-9]|[1-9][0-9]+)$`)
)

// checkPath returns an error if Go would not fetch a module by the path.
func checkPath(module string) error {
	if strings.Contains(module, "://") {
		return fmt.Errorf("module path %q: write it as import statements do, without the scheme: example.org/you/versus2048", module)
	}
	parts := strings.Split(module, "/")
	if !host.MatchString(parts[0]) {
		return fmt.Errorf("module path %q: it begins with %q, want a host in small letters: example.org/you/versus2048", module, parts[0])
	}
	for _, p := range parts[1:] {
		if !part.MatchString(p) {
			return fmt.Errorf("module path %q: the part %q: want letters, digits, and - _ ~ . between them", module, p)
		}
	}
	if last := path.Base(module); len(parts) > 1 && major.MatchString(last) && !allowed.MatchString(last) {
		return fmt.Errorf("module path %q: it ends in %q: leave that out, Go wants only v2 and later ones there", module, last)
	}
	return nil
}

// largest is the size of the largest files that may name the module, in bytes: larger ones are data.
const largest = 1 << 20

// moduleLine matches the line of a go.mod that has the module's path.
var moduleLine = regexp.MustCompile(`(?m)^module ([^\s"]+)$`)

// rename gives the module in a folder, and the modules below it, another path. It returns the path that
// the module had, and the number of changed files. The module's own go.mod is written last: after a
// failure the same call does the rest.
func rename(folder, to string) (before string, changed int, err error) {
	if err := checkPath(to); err != nil {
		return "", 0, err
	}
	if before, err = present(folder); err != nil {
		return "", 0, err
	}
	if before == to {
		return "", 0, fmt.Errorf("the module is %s already", to)
	}
	folders, err := below(folder)
	if err != nil {
		return "", 0, err
	}
	r := renaming{
		folder: folder, to: to, module: moduleOf(before), top: importOf(before), uses: usesOf(before, folders),
		links: regexp.MustCompile(`(?m)^(\[[^\]]+\]: )(?:\.\./|` + regexp.QuoteMeta(filesOf(before)) + `)`),
	}
	if err = filepath.WalkDir(folder, r.visit); err == nil {
		err = r.file(filepath.Join(folder, "go.mod"))
	}
	return before, r.changed, err
}

// present returns the path of the module in a folder.
func present(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("%w: run this at the top of the project", err)
	}
	line := moduleLine.FindSubmatch(text)
	if line == nil {
		return "", fmt.Errorf("%s has no line with the module's path", filepath.Join(folder, "go.mod"))
	}
	return string(line[1]), nil
}

// below returns the names of the folders at the top of the project. Paths of packages go on with one of them.
func below(folder string) (names []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") {
			names = append(names, regexp.QuoteMeta(entry.Name()))
		}
	}
	return names, err
}

// usesOf matches the path of the module where it stands for the module or a package of it. The first group is the text
// before the path, the second the text after it. The path may be a word with other meanings, such as the name of a
// file. So usesOf matches it only before an @, an =, or a slash that a folder of the project, three dots or a quote
// follows.
func usesOf(module string, folders []string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)(^|[^\w./-])` + regexp.QuoteMeta(module) +
		"(/(?:" + strings.Join(folders, "|") + `)\b|/\.\.\.|/["` + "`" + `]|@|=)`)
}

// moduleOf matches the path in a go.mod. Each word is a path there.
func moduleOf(module string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)(^|\s)` + regexp.QuoteMeta(module) + `(\s|/|$)`)
}

// importOf matches the import of the package at the top of the module, which has no folder.
func importOf(module string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(\s*(?:import )?)"` + regexp.QuoteMeta(module) + `"$`)
}

// pypi is the page of the Python package, which PyPI shows without the files beside it: its links need addresses.
var pypi = filepath.Join("python", "README.md")

// filesOf returns the address of the newest files of a module's repository, as GitHub and GitLab have it.
func filesOf(module string) string {
	if last := path.Base(module); allowed.MatchString(last) {
		module = path.Dir(module)
	}
	return "https://" + module + "/blob/HEAD/"
}

// A renaming changes the path of the module in the files of a tree.
type renaming struct {
	folder, to string
	module     *regexp.Regexp
	top        *regexp.Regexp
	uses       *regexp.Regexp
	links      *regexp.Regexp // the beginnings of definitions of links to files, on the page pypi
	changed    int
}

// visit changes a regular file of the tree. It leaves out .git, large files, and the module's own go.mod.
func (r *renaming) visit(path string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case entry.IsDir() && entry.Name() == ".git":
		return fs.SkipDir
	case !entry.Type().IsRegular() || path == filepath.Join(r.folder, "go.mod"):
		return nil
	}
	info, err := entry.Info()
	if err != nil || info.Size() > largest {
		return err
	}
	return r.file(path)
}

// file changes a file if it is a text that names the module.
func (r *renaming) file(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	after := r.text(filepath.Base(path), content)
	if path == filepath.Join(r.folder, pypi) {
		after = r.links.ReplaceAll(after, []byte("${1}"+filesOf(r.to)))
	}
	if !bytes.Equal(content, after) {
		r.changed++
		return os.WriteFile(path, after, 0o600) // it is there already, and keeps its permissions
	}
	return nil
}

// text returns the content of a file with the new path. In Go code it sorts the imports again, since the path changes
// their order.
func (r *renaming) text(name string, content []byte) []byte {
	if bytes.IndexByte(content, 0) >= 0 {
		return content // not a text
	}
	path := []byte("${1}" + strings.ReplaceAll(r.to, "$", "$$") + "${2}")
	if name == "go.mod" {
		return r.module.ReplaceAll(content, path)
	}
	after := r.uses.ReplaceAll(content, path)
	if filepath.Ext(name) != ".go" {
		return after
	}
	after = r.top.ReplaceAll(after, []byte(`${1}"`+r.to+`"`))
	if bytes.Equal(content, after) {
		return after
	}
	if sorted, err := format.Source(after); err == nil {
		return sorted
	}
	return after // not Go, but an example of something else
}
