//go:build !unix

package gate

// descriptors returns the number of files and sockets that this process may open. Here is no such limit: the number is
// enough for the most connections that an arena keeps.
func descriptors() int { return most + reserved }
