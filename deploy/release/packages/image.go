package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	imagelayout "github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// state is the folder that the arena of a container writes into.
const state = "/var/lib/arena"

// user is the number of the user, and of the group, that runs a container: the image has no /etc/passwd.
const user = 2048

// settings returns the settings of the image. deploy/Dockerfile, which makes an image from a clone of the repository,
// has the same ones.
func settings() v1.Config {
	return v1.Config{
		Env:          []string{"PATH=/usr/local/bin"},
		User:         fmt.Sprintf("%d:%[1]d", user),
		WorkingDir:   state,
		Volumes:      map[string]struct{}{state: {}},
		ExposedPorts: map[string]struct{}{"2048/tcp": {}},
		Healthcheck: &v1.HealthConfig{
			Test:     []string{"CMD", "arena", "health"},
			Interval: 30 * time.Second, Timeout: 10 * time.Second, StartPeriod: time.Minute,
		},
		Entrypoint: []string{"arena"},
		Cmd:        []string{"serve", "--addr", ":2048"},
	}
}

// writeImage writes an image of the programs arena and bot alone to a new file: a tar archive with a layout of the Open
// Container Initiative.
func writeImage(a *archive, to string) (err error) {
	image, err := imageOf(a)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "image-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	index := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
		Platform: &v1.Platform{OS: "linux", Architecture: a.architecture},
		// The names that docker load and podman load give the image.
		Annotations: map[string]string{
			"io.containerd.image.name":          "docker.io/library/versus2048:" + a.version,
			"org.opencontainers.image.ref.name": "versus2048:" + a.version,
		},
	}})
	if _, err := imagelayout.Write(work, index); err != nil {
		return err
	}
	return create(to, func(f *os.File) error { return writeFolder(f, work, a.date) })
}

// imageOf returns the image: a layer with the folders, and one with the programs.
func imageOf(a *archive) (image v1.Image, err error) {
	image, err = mutate.ConfigFile(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON), &v1.ConfigFile{
		OS: "linux", Architecture: a.architecture, Created: v1.Time{Time: a.date}, Config: settings(),
		RootFS: v1.RootFS{Type: "layers"},
	})
	if err != nil {
		return nil, err
	}
	for _, entries := range [][]*tar.Header{
		{
			folder("tmp", user, 0o1777), folder("usr", 0, 0o755), folder("usr/local", 0, 0o755), folder("usr/local/bin", 0, 0o755),
			folder("var", user, 0o755), folder("var/lib", user, 0o755), folder(state[1:], user, 0o755),
		},
		{program(a, "arena"), program(a, "bot")},
	} {
		layer, err := layerOf(a, entries)
		if err != nil {
			return nil, err
		}
		created := v1.History{Created: v1.Time{Time: a.date}, CreatedBy: "versus2048"}
		if image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: created}); err != nil {
			return nil, err
		}
	}
	return image, nil
}

func folder(name string, owner int, mode int64) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Uid: owner, Gid: owner, Mode: mode}
}

func program(a *archive, name string) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: "usr/local/bin/" + name, Mode: 0o755, Size: int64(len(a.files[name]))}
}

// layerOf returns a layer with the entries. Files have their contents from the archive.
func layerOf(a *archive, entries []*tar.Header) (v1.Layer, error) {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, header := range entries {
		header.ModTime = a.date
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if header.Typeflag == tar.TypeDir {
			continue
		}
		if _, err := w.Write(a.files[path.Base(header.Name)]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

// writeFolder writes the files of a folder as a tar archive, in the order of their names. All files have the given
// date and no particular owner.
func writeFolder(to io.Writer, from string, date time.Time) error {
	w, files := tar.NewWriter(to), os.DirFS(from)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(content)), ModTime: date}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	return errors.Join(err, w.Close())
}
