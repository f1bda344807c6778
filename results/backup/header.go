package backup

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"versus2048/results"
)

// databaseMagic begins every database of SQLite.
const databaseMagic = "SQLite format 3\x00"

// headerBytes is the length of a database's header. The other constants are the positions of its fields of two
// or four bytes each, with the highest byte first (https://www.sqlite.org/fileformat.html, section 1.3).
const (
	headerBytes    = 100
	pageSizeAt     = 16
	changesAt      = 24
	pagesAt        = 28
	versionAt      = 60
	pagesCountedAt = 92 // the change counter when the pages were counted
)

// header is the beginning of a database.
type header []byte

// readHeader returns the header at the beginning of r, and leaves it unread. It returns
// results.ErrForeign for a file that is not a database.
func readHeader(r *bufio.Reader) (header, error) {
	begin, err := r.Peek(headerBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err != nil || !bytes.HasPrefix(begin, []byte(databaseMagic)) {
		return nil, results.ErrForeign
	}
	return bytes.Clone(begin), nil
}

func (h header) schema() int { return int(binary.BigEndian.Uint32(h[versionAt:])) }

// length returns the number of bytes in the pages of the database. It returns 0 if the header does
// not tell, because a program from before 2010 was the last to write the database.
func (h header) length() int64 {
	if !bytes.Equal(h[changesAt:changesAt+4], h[pagesCountedAt:pagesCountedAt+4]) {
		return 0
	}
	size := int64(binary.BigEndian.Uint16(h[pageSizeAt:]))
	if size == 1 {
		size = 1 << 16
	}
	return size * int64(binary.BigEndian.Uint32(h[pagesAt:]))
}
