// Package disk tells how much room there is on the disk of a file or folder.
//
//	free, err := disk.Free(".")
//	if err != nil {
//		panic(err)
//	}
package disk
