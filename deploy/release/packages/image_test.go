package main

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	imagelayout "github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"go.yaml.in/yaml/v3"
)

// loaded returns the image in the file, after it was unpacked as an engine does.
func loaded(t *testing.T) (v1.Image, v1.Descriptor) {
	t.Helper()
	folder := t.TempDir()
	for r := tar.NewReader(strings.NewReader(content(t, filepath.Join(made(t), named(t, "linux_arm64.oci.tar"))))); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, filepath.FromSlash(header.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	index, err := imagelayout.ImageIndexFromPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("%+v, %v", manifest, err)
	}
	image, err := index.Image(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	return image, manifest.Manifests[0]
}

// The image is a valid one and has the two programs, the folders that they need, and nothing else.
func TestImage(t *testing.T) {
	image, descriptor := loaded(t)
	if err := validate.Image(image); err != nil {
		t.Error(err)
	}
	if descriptor.Platform.String() != "linux/arm64" || descriptor.Annotations["io.containerd.image.name"] != "docker.io/library/versus2048:"+version(t) {
		t.Errorf("%+v", descriptor)
	}
	layers, err := image.Layers()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, layer := range layers {
		packed, err := layer.Compressed()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, names(t, packed)...)
	}
	const want = "tmp/ usr/ usr/local/ usr/local/bin/ var/ var/lib/ var/lib/arena/ usr/local/bin/arena usr/local/bin/bot"
	if strings.Join(got, " ") != want {
		t.Errorf("the image has %v, want %s", got, want)
	}
}

// names returns the names in a compressed layer.
func names(t *testing.T, packed io.ReadCloser) (all []string) {
	t.Helper()
	defer packed.Close()
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(plain(t, text)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, header.Name)
	}
}

// The image runs the same programs, as the same user, as the image of deploy/Dockerfile.
func TestSettings(t *testing.T) {
	image, _ := loaded(t)
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	_, stage, _ := strings.Cut(strings.ReplaceAll(content(t, "../../Dockerfile"), "\\\n", " "), "FROM scratch\n")
	c, instructions := config.Config, map[string]string{}
	for line := range strings.Lines(stage) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		instructions[name] = text
	}
	for name, got := range map[string]string{
		"ENV":         strings.Join(c.Env, " "),
		"USER":        c.User,
		"WORKDIR":     c.WorkingDir,
		"VOLUME":      strings.Join(slices.Collect(maps.Keys(c.Volumes)), " "),
		"EXPOSE":      strings.TrimSuffix(strings.Join(slices.Collect(maps.Keys(c.ExposedPorts)), " "), "/tcp"),
		"ENTRYPOINT":  list(t, c.Entrypoint),
		"CMD":         list(t, c.Cmd),
		"HEALTHCHECK": "--interval=30s --timeout=10s --start-period=60s CMD " + list(t, c.Healthcheck.Test[1:]),
	} {
		if got != instructions[name] {
			t.Errorf("%s %s, in the Dockerfile %s", name, got, instructions[name])
		}
	}
}

// list writes words as a Dockerfile does.
func list(t *testing.T, words []string) string {
	t.Helper()
	text, err := json.Marshal(words)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), ",", ", ")
}

// The file for compose names the image of this version, with its folder and its port.
func TestCompose(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Image          string
			Command, Ports []string
			Volumes        []string
			Healthcheck    struct{ Test []string }
		}
	}
	if err := yaml.Unmarshal([]byte(content(t, "../../compose.yaml")), &compose); err != nil {
		t.Fatal(err)
	}
	arena := compose.Services["arena"]
	if want := "versus2048:" + version(t); arena.Image != want {
		t.Errorf("deploy/compose.yaml has the image %s, want %s", arena.Image, want)
	}
	s := settings()
	if !slices.Equal(arena.Command[:len(s.Cmd)], s.Cmd) || !slices.Equal(arena.Healthcheck.Test, s.Healthcheck.Test) {
		t.Errorf("command %v, healthcheck %v", arena.Command, arena.Healthcheck)
	}
	if arena.Ports[0] != "127.0.0.1:2048:2048" || arena.Volumes[0] != "arena:"+state {
		t.Errorf("ports %v, volumes %v", arena.Ports, arena.Volumes)
	}
}
