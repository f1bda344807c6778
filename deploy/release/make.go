package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// passwordVariable is the name of the environment variable with the password of the publisher's key.
const passwordVariable = "VERSUS2048_KEY_PASSWORD" // #nosec G101 -- the name of a variable

// release describes the release to make.
type release struct {
	out     string   // the folder for its files
	key     string   // the file of the key that signs it; "" for none
	systems []system // the systems that the programs run on
}

// make makes the files and lists them on w.
func (r *release) make(ctx context.Context, w io.Writer) (err error) {
	if r.out, err = emptyFolder(r.out); err != nil {
		return err
	}
	if r.key != "" {
		if r.key, err = filepath.Abs(r.key); err != nil {
			return err
		}
	}
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	source, err := clone(ctx, work)
	if err != nil {
		return err
	}
	last, err := r.archives(ctx, source, work)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return inPackages(ctx, source, "make", r.out) },
		func() error { return last.packSite(ctx, work, r.out) },
		func() error { return r.seal(ctx, source) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return errors.Join(r.list(w), r.remark(w, last))
}

// archives makes the archives and their lists of parts. It returns the programs for this system.
func (r *release) archives(ctx context.Context, source, work string) (here *built, err error) {
	if here, err = build(ctx, thisSystem(), source, filepath.Join(work, "here")); err != nil {
		return nil, err
	}
	printed, err := here.prints(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range r.systems {
		b := here
		if s != here.system {
			if b, err = build(ctx, s, source, filepath.Join(work, s.os+"-"+s.arch)); err != nil {
				return nil, fmt.Errorf("%v: %w", s, err)
			}
		}
		b.printed = printed
		if err := b.pack(ctx, r.out); err != nil {
			return nil, fmt.Errorf("%v: %w", s, err)
		}
	}
	return here, nil
}

// inPackages runs the program that makes packages, images and wheels from the archives, and signs files. That program
// is a module of its own, so that the project does not need its libraries.
func inPackages(ctx context.Context, source string, args ...string) error {
	folder := filepath.Join(source, "deploy", "release", "packages")
	_, err := output(ctx, folder, []string{"GOFLAGS=-mod=readonly", "GOWORK=off"}, "go", append([]string{"run", "."}, args...)...)
	return err
}

// seal writes the checksums of all files, and signs them if a key is named.
func (r *release) seal(ctx context.Context, source string) error {
	if err := writeSums(r.out); err != nil || r.key == "" {
		return err
	}
	return inPackages(ctx, source, "sign", r.key, filepath.Join(r.out, sums))
}

// list prints the files with their sizes.
func (r *release) list(w io.Writer) error {
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%12d  %s\n", info.Size(), f.Name()); err != nil {
			return err
		}
	}
	return nil
}

// remark prints the steps that are missing before the files can be published.
func (r *release) remark(w io.Writer, b *built) (err error) {
	if r.key == "" {
		_, err = fmt.Fprintln(w, "The files are not signed, since no --key was named.")
	}
	if !b.tagged() {
		_, untagged := fmt.Fprintf(w, "The commit has no tag: publish files of a commit with the tag v%s.\n", b.version)
		err = errors.Join(err, untagged)
	}
	return err
}

// emptyFolder makes the folder, unless it is there, and returns its absolute path. It returns an error if the folder is
// not empty.
func emptyFolder(path string) (string, error) {
	// #nosec G301 -- its files are for everybody
	if err := os.MkdirAll(path, 0o755); err != nil {
		return "", err
	}
	files, err := os.ReadDir(path)
	if err != nil {
		return "", err
	}
	if len(files) > 0 {
		return "", fmt.Errorf("%s is not empty: empty it, or name another folder", path)
	}
	return filepath.Abs(path)
}

// clone clones the last commit of the repository around the current folder, and returns the path of the clone.
// Changes that are not committed are not in it.
func clone(ctx context.Context, work string) (string, error) {
	top, err := trimmed(ctx, "", nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	source := filepath.Join(work, "source")
	_, err = output(ctx, "", nil, "git", "clone", "--quiet", top, source)
	return source, err
}
