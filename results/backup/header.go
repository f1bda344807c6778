package backup

import (
	"encoding/binary"
	"io"
	"os"

	"versus2048/results"
)

// databaseMagic begins every database of SQLite.
const databaseMagic = "SQLite format 3\x00"

// headerBytes is the length of the header of a database, and versionAt is where in it the version of the
// schema is, four bytes, the highest first (https://www.sqlite.org/fileformat.html, section 1.3).
const (
	headerBytes = 100
	versionAt   = 60
)

// header returns the version of the schema of a database that nobody has open, and its length in bytes. It
// returns results.ErrForeign for another file.
func header(path string) (schema int, length int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	var head [headerBytes]byte
	if _, err := io.ReadFull(file, head[:]); err != nil || string(head[:len(databaseMagic)]) != databaseMagic {
		return 0, 0, results.ErrForeign
	}
	info, err := file.Stat()
	if err != nil {
		return 0, 0, err
	}
	return int(binary.BigEndian.Uint32(head[versionAt:])), info.Size(), nil
}
