// Package lines reads lines of bounded length.
//
//	in := bufio.NewReader(strings.NewReader("short\nendless, endless"))
//	line, err := lines.Read(in, 10)
//	fmt.Printf("%q %v\n", line, err)
//	_, err = lines.Read(in, 10)
//	fmt.Println(err)
package lines
