//go:build !unix

package gate

// descriptors returns the number of files and sockets that this process may open. These systems have no such limit, so
// it is a number that is enough for the most connections that an arena keeps.
func descriptors() int { return most + reserved }
