// Package wholefile writes files that appear when they are complete, and not at all if writing fails. A
// file that is there already is replaced only on request:
//
//	err := wholefile.Write("report.md", false, func(w io.Writer) error {
//		_, err := io.WriteString(w, "# Report\n")
//		return err
//	})
//	var exists *wholefile.ExistsError
//	if errors.As(err, &exists) {
//		fmt.Println(exists.Path, "was there before")
//	}
//
// It also opens files to be read, and refuses what only looks like one: a pipe, a device or a folder.
package wholefile
