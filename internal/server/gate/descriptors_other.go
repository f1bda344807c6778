//go:build !unix

package gate

// descriptors returns how many files and sockets this process may open. Where there is no such
// limit, it is the number of connections that an arena keeps at most.
func descriptors() int { return most + reserved }
