//go:build !unix

package gate

// descriptors returns the number of files and sockets that an arena may need at most. These systems set no limit to the
// files and sockets of a process.
func descriptors() int { return most + reserved }
