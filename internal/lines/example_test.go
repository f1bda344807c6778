package lines_test

import (
	"bufio"
	"fmt"
	"strings"

	"versus2048/internal/lines"
)

func Example() {
	in := bufio.NewReader(strings.NewReader("short\nendless, endless"))
	line, err := lines.Read(in, 10)
	fmt.Printf("%q %v\n", line, err)
	_, err = lines.Read(in, 10)
	fmt.Println(err)
	// Output:
	// "short\n" <nil>
	// a line is longer than 10 bytes
}
