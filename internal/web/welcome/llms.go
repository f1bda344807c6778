package welcome

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"versus2048/docs"
)

// LLMs returns the file llms.txt, a guide for agents (https://llmstxt.org). It has two sentences on versus 2048, then
// the text of the parameter more, which is about the site with the file, and links to the Markdown of all documents.
// base is the address of the site without the slash at its end, or "." for links that are relative to the file.
func LLMs(base, more string) []byte {
	var made strings.Builder
	fmt.Fprintf(&made, "# versus 2048\n\n> 2048 for two players: the attacker places the tiles, the defender slides them. "+
		"Bots of both roles play tournaments and are rated, and every game can be replayed and analysed.\n\n%s", more)
	for _, group := range docs.Groups() {
		fmt.Fprintf(&made, "\n## %s\n\n", group.Title)
		for _, d := range group.Documents {
			fmt.Fprintf(&made, "- [%s](%s%s.md): %s\n", d.Title, base, d.Address, about(strings.TrimPrefix(d.Address, "/docs/")+".md"))
		}
	}
	return []byte(made.String())
}

// about returns the subject of a document: the first sentence of its first paragraph, without the marks of Markdown, a
// full stop or a colon. It returns "" if no paragraph follows the heading of the document.
func about(file string) string {
	source, err := docs.Files.ReadFile(file)
	if err != nil {
		return ""
	}
	heading := format("").Parser().Parse(text.NewReader(source)).FirstChild()
	if heading == nil || heading.NextSibling() == nil || heading.NextSibling().Kind() != ast.KindParagraph {
		return ""
	}
	return strings.TrimRight(sentence.FindString(plainText(heading.NextSibling(), source)), " .:")
}

// sentence matches the first sentence of a paragraph, or its text up to the first colon.
var sentence = regexp.MustCompile(`^.+?[.:?]( |$)`)

// plainText returns the text of a part of a document on one line.
func plainText(part ast.Node, source []byte) string {
	var words strings.Builder
	_ = ast.Walk(part, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			words.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				words.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(words.String()), " ")
}
