package plain_test

import (
	"fmt"

	"versus2048/internal/text/plain"
)

func Example() {
	fmt.Println(plain.Line("a\x1b[2Jb\nc")) // for a terminal, which it would have cleared
	fmt.Println(plain.CSV("=1+1"))          // for a spreadsheet, which would have computed it
	fmt.Println(plain.Markdown("<b>|`x`"))  // for a page, where it would have been a tag and code
	// Output:
	// a\x1b[2Jb\nc
	// '=1+1
	// \<b>\|\`x\`
}
