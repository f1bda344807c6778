package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"versus2048/players"
	"versus2048/tournament"
)

// provide brings the files of bots to this machine, and names them in the specs of an event's entries. The caller
// must call release after the games, and after an error. provide returns an error for an entry that names any other
// file of this machine.
func (w *Worker) provide(ctx context.Context, e *tournament.Event, files stock) (release func(), err error) {
	var all []func()
	release = func() {
		for _, one := range all {
			one()
		}
	}
	e.Entries = slices.Clone(e.Entries)
	for i, entry := range e.Entries {
		paths := map[string]string{}
		for option, f := range files[entry.Name] {
			path, done, err := w.Cache.take(ctx, f, w.fetchFile)
			if err != nil {
				return release, &fileError{entry.Name, f, err}
			}
			all = append(all, done)
			paths[option] = path
		}
		e.Entries[i].Spec = players.WithFiles(entry.Spec, paths)
	}
	if len(all) > 0 {
		w.trouble.Store(nil)
	}
	for bot, options := range filesOf(e.Entries) {
		for option := range options {
			if _, given := files[bot][option]; !given {
				return release, fmt.Errorf("bot %q: the arena does not name its file", bot)
			}
		}
	}
	return release, nil
}

// fileError means that a worker cannot get the file of a bot.
type fileError struct {
	bot  string
	file File
	err  error
}

func (e *fileError) Error() string {
	return fmt.Sprintf("bot %q: file %q of %d bytes: %v", e.bot, e.file.Name, e.file.Size, e.err)
}

// card returns the text for the worker's card. It names no path of the worker's machine.
func (e *fileError) card() string {
	why := e.err
	if path := (*fs.PathError)(nil); errors.As(why, &path) {
		why = path.Err
	}
	return fmt.Sprintf("it cannot have the file %q of %d bytes: %v", e.file.Name, e.file.Size, why)
}

func (e *fileError) Unwrap() error { return e.err }

// fetchFile copies a file from the object store. It returns an error if the store has another file in its place.
//
// It asks for one chunk after the other. Jetstream's Get would make a consumer, and a worker's user may make none: a
// consumer can send a stream's messages to any subject, even to one that a worker may not write to.
func (w *Worker) fetchFile(ctx context.Context, f File, to *os.File) error {
	store, err := w.js.ObjectStore(ctx, w.Name.files())
	if err != nil {
		return err
	}
	stream, err := w.js.Stream(ctx, "OBJ_"+w.Name.files())
	if err != nil {
		return err
	}
	copied := &measured{to, sha256.New(), f.Size}
	for i := range f.parts() {
		part, err := store.GetInfo(ctx, f.part(i))
		if err != nil {
			return err
		}
		if err := w.copyPart(ctx, stream, part, copied); err != nil {
			return err
		}
	}
	if copied.left != 0 || hex.EncodeToString(copied.hash.Sum(nil)) != f.Sum {
		return errOtherFile
	}
	return nil
}

var errOtherFile = errors.New("the arena has another file under its checksum")

func (w *Worker) copyPart(ctx context.Context, stream jetstream.Stream, part *jetstream.ObjectInfo, to io.Writer) error {
	next := uint64(1)
	for range part.Chunks {
		m, err := w.message(ctx, stream, w.Name.chunks(part), next)
		if err == nil {
			next = m.Sequence + 1
			_, err = to.Write(m.Data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mostTries is the number of times that a worker asks for a message of the object store before it gives the file up.
const mostTries = 10

// message returns the first message of a subject from a sequence number on.
func (w *Worker) message(ctx context.Context, stream jetstream.Stream, subject string, from uint64) (m *jetstream.RawStreamMsg, err error) {
	for range mostTries {
		m, err = stream.GetMsg(ctx, from, jetstream.WithGetMsgSubject(subject))
		if err == nil || errors.Is(err, jetstream.ErrMsgNotFound) {
			return m, err
		}
		pause(ctx, patience)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return nil, err
}

// measured is a writer that accepts no more bytes than the file has, and knows their checksum.
type measured struct {
	to   io.Writer
	hash hash.Hash
	left int64
}

// Write implements io.Writer.
func (m *measured) Write(p []byte) (int, error) {
	if int64(len(p)) > m.left {
		return 0, errOtherFile
	}
	m.hash.Write(p)
	m.left -= int64(len(p))
	return m.to.Write(p)
}
