// Package disk tells how much room there is on the disk of a file or folder, and what a process may do
// with it.
//
//	free, err := disk.Free(".")
//	if err != nil {
//		panic(err)
//	}
package disk
