package disk

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Sealed is a kind of file. A file is the magic text, the version as one byte, the length of the header as four
// bytes, the header, the body, and a CRC-32C of all that. Numbers are little-endian.
type Sealed struct {
	Magic   string // begins every file
	Version uint8  // of the format; files of other versions are refused
	Name    string // for errors, such as "a network"
	Remedy  string // advice for the owner of a damaged file, such as "learn it again"
}

// MaxHeader is the greatest length of a header in bytes.
const MaxHeader = 1 << 20

// checksumBytes is the length of the checksum.
const checksumBytes = 4

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write writes a file: the header as JSON, and the parts of the body. It returns w's error, and an error for a header
// that cannot be JSON or is longer than MaxHeader.
func (k Sealed) Write(w io.Writer, header any, body ...[]byte) error {
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if len(text) > MaxHeader {
		return fmt.Errorf("a header of %d bytes: want at most %d", len(text), MaxHeader)
	}
	start := append([]byte(k.Magic), k.Version)
	start = binary.LittleEndian.AppendUint32(start, uint32(len(text)))
	sum := crc32.New(castagnoli)
	both := io.MultiWriter(w, sum)
	for _, part := range append([][]byte{start, text}, body...) {
		if _, err := both.Write(part); err != nil {
			return err
		}
	}
	_, err = w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// Read checks the content of a file, reads its header and returns its body, a part of content. It returns an error for
// a file of another kind or version, for a damaged or incomplete file, and for content that does not fit header.
func (k Sealed) Read(content []byte, header any) (body []byte, err error) {
	rest, found := bytes.CutPrefix(content, []byte(k.Magic))
	if !found || len(rest) < 1+4+checksumBytes {
		return nil, fmt.Errorf("it is not %s", k.Name)
	}
	if rest[0] != k.Version {
		return nil, fmt.Errorf("its format has version %d, this program reads version %d: %s", rest[0], k.Version, k.Remedy)
	}
	end := len(content) - checksumBytes
	if crc32.Checksum(content[:end], castagnoli) != binary.LittleEndian.Uint32(content[end:]) {
		return nil, fmt.Errorf("it is damaged, its checksum is wrong: %s", k.Remedy)
	}
	length := binary.LittleEndian.Uint32(rest[1:])
	rest = rest[5 : len(rest)-checksumBytes]
	if length > MaxHeader || int(length) > len(rest) {
		return nil, errors.New("it is damaged, its header is too long: " + k.Remedy)
	}
	if err := json.Unmarshal(rest[:length], header); err != nil {
		return nil, fmt.Errorf("its header is invalid: %w: %s", err, k.Remedy)
	}
	return rest[length:], nil
}
