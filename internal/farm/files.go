package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"regexp"

	"github.com/nats-io/nats.go/jetstream"

	"versus2048/internal/disk"
	"versus2048/players"
	"versus2048/tournament"
)

// File is a file that a task needs. It travels by the object store, under its checksum.
type File struct {
	Name string `json:"name"` // on the arena's machine, without its folder; people read it
	Sum  string `json:"sum"`  // SHA-256, in hexadecimal
	Size int64  `json:"size"` // bytes
}

var sumPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (f File) validate() error {
	if !sumPattern.MatchString(f.Sum) || f.Size < 0 {
		return fmt.Errorf("file %q with the checksum %.70q and %d bytes: no worker can fetch it", f.Name, f.Sum, f.Size)
	}
	return nil
}

// In the store a file is cut into parts, and a part into chunks. A part is an object, a chunk is a message. The
// chunks of an object are sent without waiting for acknowledgements. If an object had several GB, NATS would
// refuse the chunks that its disk does not write at once. By default NATS takes messages of at most 1 MiB.
const (
	partSize  = 16 << 20
	chunkSize = 512 << 10
)

func (f File) parts() int { return int((f.Size + partSize - 1) / partSize) }

// part returns the name of the object with a part.
func (f File) part(i int) string { return fmt.Sprintf("%s-%d", f.Sum, i) }

// chunks returns the subject of the messages with an object's content.
func (n Name) chunks(of *jetstream.ObjectInfo) string { return "$O." + n.files() + ".C." + of.NUID }

// stock has the files that bots name in their specs, by bot and option.
type stock map[string]map[string]File

func (s stock) all() (files []File) {
	for _, options := range s {
		for _, f := range options {
			files = append(files, f)
		}
	}
	return files
}

// filesOf returns the paths of the files that the specs of bots name, by bot and option.
func filesOf(entries []tournament.Entry) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, e := range entries {
		if spec, err := players.ParseClosed(e.Spec); err == nil { // else it is a program
			all[e.Name] = spec.FilesByOption()
		}
	}
	return all
}

// summed is a reader that computes the checksum of the bytes read. It ends when its context does.
type summed struct {
	ctx  context.Context
	from io.Reader
	hash hash.Hash
}

func newSummed(ctx context.Context, from io.Reader) *summed { return &summed{ctx, from, sha256.New()} }

// Read implements io.Reader.
func (s *summed) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.from.Read(p)
	s.hash.Write(p[:n])
	return n, err
}

func (s *summed) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// sumOf returns the checksum and the size of a file.
func sumOf(ctx context.Context, path string) (sum string, size int64, err error) {
	file, _, err := disk.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	read := newSummed(ctx, file)
	size, err = io.Copy(io.Discard, read)
	return read.sum(), size, err
}
