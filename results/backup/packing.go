package backup

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"versus2048/internal/disk"
	"versus2048/results"
)

// packing is a way to compress a backup.
type packing struct {
	suffix string // of the file's name
	magic  string // the beginning of every such file
	pack   func(io.Writer) (io.WriteCloser, error)
	unpack func(io.Reader) (io.Reader, error)
}

func packings() []packing {
	return []packing{
		{
			".zst", "\x28\xb5\x2f\xfd",
			func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) },
			func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
		},
		{
			".gz", "\x1f\x8b",
			func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
			func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		},
	}
}

// packingOf returns the packing for a file of that name, nil for an uncompressed file.
func packingOf(file string) *packing {
	for _, p := range packings() {
		if strings.HasSuffix(file, p.suffix) {
			return &p
		}
	}
	return nil
}

// pack compresses a database according to the file's name and reads the result again. Then it
// publishes the backup and its checksum under their names.
func (s *Summary) pack(ctx context.Context, w *workspace, whole, file string, o Options) error {
	finished := whole
	if p := packingOf(file); p != nil {
		finished = w.file("packed")
		if err := p.compress(ctx, whole, finished, s.Database, o); err != nil {
			return err
		}
	}
	err := os.Chmod(finished, 0o600) // backups leave the machine, and contain the hashes of tokens
	if err == nil {
		s.SHA256, s.Bytes, err = hashed(ctx, finished)
	}
	if err != nil {
		return err
	}
	sum := w.file("sum")
	if err := os.WriteFile(sum, fmt.Appendf(nil, "%s  %s\n", s.SHA256, filepath.Base(file)), 0o600); err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil && !o.Replace {
		return &disk.ExistsError{Path: file} // another backup was faster; its checksum stays
	}
	// A backup can do without a checksum, but must not have the checksum of another one.
	if err := disk.Remove(sumName(file)); err != nil {
		return err
	}
	if err := publish(finished, file, o.Replace); err != nil {
		return err
	}
	s.File = file
	err = publish(sum, sumName(file), true)
	syncFolder(filepath.Dir(file))
	return err
}

// compress compresses a file into a new file, unpacks the new file again, and compares the result with the original.
func (p packing) compress(ctx context.Context, from, to string, length int64, o Options) error {
	source, _, err := disk.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer target.Close()
	packer, err := p.pack(target)
	if err != nil {
		return err
	}
	before := newMeter(ctx, length, func(part float64) { o.progress(Packing, part) })
	if _, err := io.Copy(packer, io.TeeReader(source, before)); err != nil {
		return err
	}
	if err := errors.Join(packer.Close(), target.Sync()); err != nil {
		return err
	}
	if _, err := target.Seek(0, io.SeekStart); err != nil {
		return err
	}
	unpacker, err := p.unpack(bufio.NewReader(target))
	if err != nil {
		return err
	}
	after := newMeter(ctx, length, nil)
	_, err = io.Copy(after, unpacker)
	if err == nil && after.sum() != before.sum() {
		err = errors.New("it has changed")
	}
	if err != nil {
		return fmt.Errorf("the compressed backup does not unpack to the original: %w", err)
	}
	return nil
}

// unpack unpacks a backup into a new file, and describes the backup in a Summary. It returns
// results.ErrForeign for a file that is neither a database nor compressed.
func unpack(ctx context.Context, from, to string, o Options) (s Summary, err error) {
	source, length, err := disk.Open(from)
	if err != nil {
		return s, err
	}
	defer source.Close()
	packed := newMeter(ctx, length, func(part float64) { o.progress(Unpacking, part) })
	all := bufio.NewReaderSize(io.TeeReader(source, packed), 1<<16)
	content, err := unpacked(all)
	if err != nil {
		return s, err
	}
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) // #nosec G302 -- as every database: results are public
	if err != nil {
		return s, err
	}
	err = copyPages(target, content)
	if err = errors.Join(err, target.Close()); err != nil {
		return s, cutShort(err)
	}
	return Summary{File: from, Bytes: packed.n, SHA256: packed.sum()}, nil
}

// unpacked returns the content of a backup. It recognizes the packing by the beginning of the file,
// not by its name.
func unpacked(r *bufio.Reader) (io.Reader, error) {
	begin, err := r.Peek(len(databaseMagic))
	if err != nil && !errors.Is(err, io.EOF) { // a file that is too short has a wrong beginning
		return nil, err
	}
	for _, p := range packings() {
		if bytes.HasPrefix(begin, []byte(p.magic)) {
			content, err := p.unpack(r)
			return content, cutShort(err)
		}
	}
	if !bytes.Equal(begin, []byte(databaseMagic)) {
		return nil, results.ErrForeign
	}
	return r, nil
}

// copyPages copies a database. If the header tells the number of pages, copyPages returns an error for bytes after the
// last page. SQLite would ignore such bytes, and their number would be unlimited.
func copyPages(to io.Writer, content io.Reader) error {
	from := bufio.NewReaderSize(content, 1<<16)
	head, err := readHeader(from)
	if err != nil {
		return err
	}
	length := head.length()
	if length == 0 {
		_, err := io.Copy(to, from)
		return err
	}
	n, err := io.Copy(to, io.LimitReader(from, length+1))
	if err == nil && n > length {
		err = fmt.Errorf("something follows the %d bytes of its pages", length)
	}
	return err
}

// cutShort wraps an error of the decompression in ErrDamaged. Errors of files, the end of the context and
// ErrForeign stay as they are.
func cutShort(err error) error {
	var failure *os.PathError
	if err == nil || errors.As(err, &failure) || errors.Is(err, context.Canceled) || errors.Is(err, results.ErrForeign) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// ErrDamaged means that a backup has changed since it was made.
var ErrDamaged = errors.New("it is damaged or cut short: take another backup")

// meter hashes and counts the bytes that are written to it. It fails once its context has ended.
type meter struct {
	ctx    context.Context
	hash   hash.Hash
	n, all int64
	tell   func(part float64) // may be nil
}

func newMeter(ctx context.Context, all int64, tell func(part float64)) *meter {
	return &meter{ctx: ctx, hash: sha256.New(), all: all, tell: tell}
}

// Write hashes p and returns the error of the context.
func (m *meter) Write(p []byte) (int, error) {
	m.n += int64(len(p))
	if m.tell != nil {
		m.tell(float64(m.n) / float64(max(m.all, m.n, 1)))
	}
	m.hash.Write(p) // a hash returns no errors
	return len(p), m.ctx.Err()
}

func (m *meter) sum() string { return hex.EncodeToString(m.hash.Sum(nil)) }

func hashed(ctx context.Context, path string) (sum string, length int64, err error) {
	file, _, err := disk.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	m := newMeter(ctx, 0, nil)
	_, err = io.Copy(m, file)
	return m.sum(), m.n, err
}

func sumName(file string) string { return file + ".sha256" }

// readSum returns the checksum that a backup had when it was made, or "" if there is no checksum file.
func readSum(file string) (string, error) {
	text, err := disk.ReadText(sumName(file))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	sum, _, found := strings.Cut(string(text), " ")
	if !found || len(sum) != 64 {
		return "", fmt.Errorf("%s is no line of sha256sum: remove it to restore without a checksum", sumName(file))
	}
	return sum, nil
}
