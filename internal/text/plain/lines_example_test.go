package plain_test

import (
	"bufio"
	"fmt"
	"strings"

	"versus2048/internal/text/plain"
)

func ExampleReadLine() {
	in := bufio.NewReader(strings.NewReader("short\nendless, endless"))
	line, err := plain.ReadLine(in, 10)
	fmt.Printf("%q %v\n", line, err)
	_, err = plain.ReadLine(in, 10)
	fmt.Println(err)
	// Output:
	// "short\n" <nil>
	// a line is longer than 10 bytes
}
