package claims

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	// reference matches a link such as [164][value-3x3]. Its text may have an interval in brackets.
	reference = regexp.MustCompile(`\[(?:[^\[\]]|\[[^\[\]]*\])*\]\[([a-z0-9-]+)\]`)
	// definition matches a line such as [value-3x3]: lab/claims/ledger/value-3x3.toml.
	definition = regexp.MustCompile(`(?m)^\[([a-z0-9-]+)\]: \S*` + ledgerFolder + `/\S+\.toml\n?`)
)

// Insert returns a document, in Markdown, with the figures of today's ledger. A figure is the text of a link to its
// claim, [164][value-3x3]; the targets of the links are written at the end of the document. A table with such a link as
// its first title is the table of the claim. name is the path of the document from the root of the repository. Insert
// returns an error if it cannot make a table, or if the document defines the target of a link to a claim that the ledger
// does not have.
func (l Ledger) Insert(name, document string) (string, error) {
	defined := map[string]bool{}
	for _, found := range definition.FindAllStringSubmatch(document, -1) {
		defined[found[1]] = true
	}
	var used []string
	var unknown error
	text, err := l.insertTables(definition.ReplaceAllString(document, ""))
	if err != nil {
		return document, err
	}
	text = reference.ReplaceAllStringFunc(text, func(link string) string {
		claim := reference.FindStringSubmatch(link)[1]
		i := slices.IndexFunc(l.Claims, func(c Claim) bool { return c.Name == claim })
		if i < 0 {
			if defined[claim] {
				unknown = fmt.Errorf("%s: %s: there is no claim %s: write its file, or take the link out", name, link, claim)
			}
			return link
		}
		used = append(used, claim)
		if t := l.Claims[i].Table; t != nil && link == "["+t.Columns[0].Title+"]["+claim+"]" {
			return link // the head of the claim's table
		}
		return "[" + l.Claims[i].Figure.String() + "][" + claim + "]"
	})
	if unknown != nil || len(used) == 0 {
		return document, unknown
	}
	up := strings.Repeat("../", strings.Count(path.Clean(name), "/"))
	var end strings.Builder
	slices.Sort(used)
	for _, claim := range slices.Compact(used) {
		fmt.Fprintf(&end, "[%s]: %s%s/%s.toml\n", claim, up, ledgerFolder, claim)
	}
	return strings.TrimRight(text, "\n") + "\n\n" + end.String(), nil
}
