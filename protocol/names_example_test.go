package protocol_test

import (
	"fmt"

	"versus2048/protocol"
)

func ExampleCheckName() {
	fmt.Println(protocol.CheckName("corner keeper 👩‍🚀"))
	fmt.Println(protocol.CheckName("corner\u200bkeeper"))
	fmt.Println(protocol.AlikeNames("Minnie", "ｍіnniе")) // another width, another alphabet, another case
	// Output:
	// <nil>
	// name "corner\u200bkeeper": character 7, U+200B, is invisible: want 1 to 64 printable characters, no space at either end
	// true
}
