package analysis_test

import (
	"strings"
	"testing"

	"versus2048/internal/web/analysis"
	"versus2048/rules"
)

var start = rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 2})

// parsed reads a text that is valid.
func parsed(t *testing.T, text string) *analysis.Tree {
	t.Helper()
	tree, err := analysis.ParseTree(start, text)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// A text is read and written again, in its shortest form.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"(1,1) E":                             "(1,1) E",
		"(1,1)  E [ S [ E ] ] [S(2,1)]":       "",
		"(1,1) E [S] [ S (2,1) ] (1,1)":       "(1,1) E [S (2,1)] (1,1)",
		"(1,1) E [S (2,1) [(3,2) N] W] (1,1)": "(1,1) E [S (2,1) [(3,2) N] W] (1,1)",
		"(1,1) [(2,1) [(3,1)]]":               "(1,1) [(2,1)] [(3,1)]",
		"(1,1) [] E":                          "(1,1) E",
	} {
		tree, err := analysis.ParseTree(start, text)
		switch {
		case text != "" && want == "":
			if err == nil {
				t.Errorf("%q is read as %v", text, tree)
			}
		case err != nil || tree.String() != want:
			t.Errorf("%q is read as %v (%v), want %q", text, tree, err, want)
		}
	}
}

// An error tells the fault of a text.
func TestWrongTexts(t *testing.T) {
	for text, want := range map[string]string{
		"(1,1) E [S":                 "has no ] behind it",
		"(1,1) ] E":                  "has no [ before it",
		"[(1,1)]":                    "stands before all moves",
		"(1,1) X":                    `"X"`,
		"(1,1) N":                    `move "N", word 2: illegal move N`,
		strings.Repeat("(1,1)", 999): "4995 characters: want at most 3000",
	} {
		if tree, err := analysis.ParseTree(start, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q is read as %v, with the error %v; want %q", text, tree, err, want)
		}
	}
}

// Numbers are in the order of the text, and each node has its line.
func TestNodes(t *testing.T) {
	tree := parsed(t, "(1,1) E [S (2,1) [(3,2) N] W] (1,1) W")
	for number, want := range []string{"", "(1,1) E (1,1) W", "(1,1) E (1,1) W", "(1,1) S (2,1) W", "(1,1) S (2,1) W", "(1,1) S (3,2) N", "(1,1) S (3,2) N", "(1,1) S (2,1) W"} {
		node, line := tree.Node(number), ""
		if number == 0 {
			want = "(1,1) E (1,1) W"
		}
		for _, on := range node.Line()[1:] {
			line += " " + on.Move.String()
		}
		if node.Number != number || line != " "+want {
			t.Errorf("node %d has the line%s, want %s", node.Number, line, want)
		}
	}
	if tree.Node(-1) != nil || tree.Node(10) != nil || tree.Node(9) == nil {
		t.Error("the tree has other nodes than 0 to 9")
	}
}

// A move that is played becomes the main one, a variation, or one that the tree has already.
func TestPlay(t *testing.T) {
	tree := parsed(t, "(1,1) E")
	for _, step := range []struct {
		at, number int
		move, text string
	}{
		{2, 3, "(1,1)", "(1,1) E (1,1)"},
		{1, 3, "S", "(1,1) E [S] (1,1)"},
		{3, 4, "(3,1)", "(1,1) E [S (3,1)] (1,1)"},
		{1, 2, "E", "(1,1) E [S (3,1)] (1,1)"},
		{0, 2, "(2,2)", "(1,1) [(2,2)] E [S (3,1)] (1,1)"},
	} {
		m, err := rules.ParseMove(step.move)
		if err != nil {
			t.Fatal(err)
		}
		node, err := tree.Play(tree.Node(step.at), m)
		if err != nil || node.Number != step.number || tree.String() != step.text {
			t.Errorf("%s at %d: %v, %v; want %s", step.move, step.at, tree, err, step.text)
		}
	}
	if _, err := tree.Play(tree.Node(0), rules.North); err == nil || tree.String() != "(1,1) [(2,2)] E [S (3,1)] (1,1)" {
		t.Errorf("an illegal move: %v, %v", tree, err)
	}
}

// grow plays all moves from the positions of a tree, in the order in which they come up, until one is refused.
func grow(tree *analysis.Tree) (played int, err error) {
	for all := []*analysis.Node{tree.Node(0)}; len(all) > 0; all = all[1:] {
		for _, m := range all[0].Position.AppendMoves(nil) {
			next, err := tree.Play(all[0], m)
			if err != nil {
				return played, err
			}
			all, played = append(all, next), played+1
		}
	}
	return played, nil
}

// A tree has at most MostText characters, and stays as it is if a move would make it longer.
func TestLongTree(t *testing.T) {
	tree := analysis.NewTree(rules.NewPosition(rules.GPCC2016, rules.Full))
	played, err := grow(tree)
	if err == nil || !strings.Contains(err.Error(), "more than 3000 characters") {
		t.Error(err)
	}
	text := tree.String()
	if len(text) > analysis.LongestTree || played < 300 || tree.Node(played) == nil || tree.Node(played+1) != nil {
		t.Errorf("%d moves have %d characters", played, len(text))
	}
	if again, err := analysis.ParseTree(tree.Node(0).Position, text); err != nil || again.String() != text {
		t.Errorf("the text is read again as %v, %v", again, err)
	}
}
