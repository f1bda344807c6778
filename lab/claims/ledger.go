package claims

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// The folders of the repository with the claims and with their artefacts.
const (
	ledgerFolder   = "lab/claims/ledger"
	artefactFolder = "lab/claims/artefacts"
)

//go:embed ledger/*.toml artefacts/*
var files embed.FS

// Ledger has all claims, in the order of their names.
type Ledger struct {
	Claims    []Claim
	artefacts map[string][]byte // by the name of the file
}

// Load returns the ledger of this program.
func Load() (Ledger, error) { return Read(files) }

// Read reads the files ledger/*.toml, and their artefacts in the folder artefacts. The error has a sentence for the
// first fault of each file and for each fault of a family. Each sentence names the file, the key and the remedy.
func Read(folder fs.FS) (l Ledger, err error) {
	names, err := fs.Glob(folder, "ledger/*.toml")
	if err != nil {
		return l, err
	}
	l.artefacts = map[string][]byte{}
	var faults []error
	for _, name := range names {
		c, err := readClaim(folder, name)
		if err == nil {
			err = l.addArtefact(folder, c)
		}
		if err == nil {
			err = l.checkTable(c)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		l.Claims = append(l.Claims, c)
	}
	return l, errors.Join(append(faults, l.checkFamilies()...)...)
}

// Find returns the claims with the given names, or all claims if no name is given. The error names a claim that is
// not there.
func (l Ledger) Find(names []string) ([]Claim, error) {
	if len(names) == 0 {
		return slices.Clone(l.Claims), nil
	}
	var found []Claim
	for _, name := range names {
		i := slices.IndexFunc(l.Claims, func(c Claim) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no claim %s: lab claims lists their names", name)
		}
		found = append(found, l.Claims[i])
	}
	return found, nil
}

func readClaim(folder fs.FS, name string) (c Claim, err error) {
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return c, err
	}
	c.Name = strings.TrimSuffix(path.Base(name), ".toml")
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&c)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		line, _ := unknown.Errors[0].Position()
		return c, fmt.Errorf("%s:%d: %s: unknown key: docs/CLAIMS.md lists the keys", c.path(), line, strings.Join(unknown.Errors[0].Key(), "."))
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		key := strings.Join(wrong.Key(), ".")
		if key != "" { // a fault of the syntax has none
			key += ": "
		}
		return c, fmt.Errorf("%s:%d: %s%s: correct the value", c.path(), line, key, strings.TrimPrefix(wrong.Error(), "toml: "))
	case err != nil:
		return c, fmt.Errorf("%s: %w: correct the file", c.path(), err)
	}
	return c, c.check()
}

// path returns the claim's file, from the root of the repository.
func (c Claim) path() string { return path.Join(ledgerFolder, c.Name+".toml") }

var (
	commitForm = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
	dateForm   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	sumForm    = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// areCommands reports whether a list has commands, none of them blank.
func areCommands(list []string) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(command string) bool { return strings.TrimSpace(command) == "" })
}

// check returns an error for the first key without a sound value.
func (c Claim) check() error {
	low, high := c.Figure.Ends()
	rules := []struct {
		sound       bool
		key, remedy string
	}{
		{strings.HasSuffix(c.Statement, "."), "statement", "write the claim in one sentence that ends with a full stop"},
		{areCommands(c.Commands), "commands", "list the commands that measure the figure"},
		{commitForm.MatchString(c.Commit), "commit", "write the commit of the measured code, 7 to 40 hexadecimal digits"},
		{c.Machine != "", "machine", "describe the machine, and how busy it was"},
		{dateForm.MatchString(c.Date), "date", "write the day of the measurement, such as 2026-11-29"},
		{c.Cost > 0, "cost", "write how long the commands take, such as 90s"},
		{len(c.Code) > 0, "code", "list the files and folders that the figure depends on"},
		{(c.Figure.Low == nil) == (c.Figure.High == nil), "figure.low, figure.high", "write both ends, or none for an exact figure"},
		{low <= c.Figure.Value && c.Figure.Value <= high, "figure.value", "write a value between low and high"},
		{!math.IsInf(low, 0) && !math.IsInf(high, 0), "figure", "write finite numbers"},
		{(c.Read.JSON == "") != (c.Read.Pattern == ""), "read", "write one of json and pattern"},
		{c.Ratio == nil || areCommands(c.Ratio.To) && c.Ratio.Runs >= 3, "ratio", "list other commands in to, and at least 3 runs"},
		{slices.Contains([]string{AtLeast, Below, Equal}, c.Condition.Relation), "comparison.relation", "write one of at least, below and equal"},
		{!math.IsNaN(c.Condition.Bound) && !math.IsInf(c.Condition.Bound, 0), "comparison.bound", "write a finite number"},
		{c.Condition.With != "" && c.Condition.Source != "", "comparison", "write the meaning of the bound in with, and its origin in source"},
		{c.Artefact == nil || sumForm.MatchString(c.Artefact.SHA256), "artefact.sha256", "write 64 hexadecimal digits"},
		{c.Artefact == nil || c.Artefact.Command != "", "artefact.command", "write the command that makes the file"},
		{c.Table == nil || c.Artefact != nil && c.Artefact.Archive == "", "table", "name the output with its figures in artefact, a file in the tree"},
		{c.Table == nil || len(c.Table.Columns) > 0, "table.columns", "list at least one"},
		{c.Family == nil || c.Family.Name != "" && c.Family.Variants > 0, "family", "write its name, and in variants the number of comparisons that were tried"},
	}
	for _, r := range rules {
		if !r.sound {
			return fmt.Errorf("%s: %s: %s", c.path(), r.key, r.remedy)
		}
	}
	pattern, err := regexp.Compile(c.Read.Pattern)
	if err != nil {
		return fmt.Errorf("%s: read.pattern: %w: correct the regular expression", c.path(), err)
	}
	if n := pattern.NumSubexp(); c.Read.Pattern != "" && n != 1 && n != 3 {
		return fmt.Errorf("%s: read.pattern: it has %d groups: write one for the number, or three for value, low and high", c.path(), n)
	}
	return nil
}

// addArtefact reads an artefact in the tree and checks its checksum.
func (l Ledger) addArtefact(folder fs.FS, c Claim) error {
	if c.Artefact == nil || c.Artefact.Archive != "" {
		return nil
	}
	content, err := fs.ReadFile(folder, path.Join("artefacts", c.Artefact.File))
	if err != nil {
		return fmt.Errorf("%s: artefact.file: %s is not in %s: add it, or name its archive", c.path(), c.Artefact.File, artefactFolder)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != c.Artefact.SHA256 {
		return fmt.Errorf("%s: artefact.sha256: %s has %x: restore the file, or measure the claim again", c.path(), c.Artefact.File, sum)
	}
	l.artefacts[c.Artefact.File] = content
	return nil
}

// checkFamilies returns an error for each claim that describes its family differently from the first claim of the
// family, and for each family with more claims than variants.
func (l Ledger) checkFamilies() (faults []error) {
	first, members := map[string]Family{}, map[string]int{}
	for _, c := range l.Claims {
		if c.Family == nil {
			continue
		}
		f, known := first[c.Family.Name]
		if !known {
			f = *c.Family
			first[f.Name] = f
		}
		members[f.Name]++
		if *c.Family != f {
			faults = append(faults, fmt.Errorf("%s: family: %s has other variants, or another exploration, in another file: write the same in both", c.path(), f.Name))
		}
		if members[f.Name] == f.Variants+1 {
			faults = append(faults, fmt.Errorf("%s: family.variants: %s has more claims than variants: count them again", c.path(), f.Name))
		}
	}
	return faults
}
