package names_test

import (
	"fmt"

	"versus2048/protocol/names"
)

func Example() {
	fmt.Println(names.Check("corner keeper 👩‍🚀"))
	fmt.Println(names.Check("corner\u200bkeeper"))
	fmt.Println(names.Alike("Minnie", "ｍіnniе")) // another width, another alphabet, another case
	// Output:
	// <nil>
	// name "corner\u200bkeeper": character 7, U+200B, is invisible: want 1 to 64 printable characters, no space at either end
	// true
}
