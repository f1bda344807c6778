// Package lines reads lines of bounded length, and texts without the byte order mark that some editors and
// shells begin them with. Every text from a person or another program is read through this package.
//
//	in := bufio.NewReader(strings.NewReader("short\nendless, endless"))
//	line, err := lines.Read(in, 10)
//	fmt.Printf("%q %v\n", line, err)
//	_, err = lines.Read(in, 10)
//	fmt.Println(err)
package lines
