// Package disk writes files that appear when they are complete, and not at all if writing fails. A
// file that is there already is replaced only on request:
//
//	err := disk.Write("report.md", false, func(w io.Writer) error {
//		_, err := io.WriteString(w, "# Report\n")
//		return err
//	})
//	var exists *disk.ExistsError
//	if errors.As(err, &exists) {
//		fmt.Println(exists.Path, "was there before")
//	}
//
// It also opens files for reading, and refuses pipes, devices and folders. Sealed is a kind of file with a
// checksum. Free returns the space left on a disk, and Accessible checks the rights to a file.
package disk
