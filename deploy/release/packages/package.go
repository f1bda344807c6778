package main

import (
	"embed"
	"errors"
	"os"
	"path"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers itself
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers itself
)

// scripts are the programs that a package runs on the machine after its installation, before its removal, and after its
// removal.
//
//go:embed scripts
var scripts embed.FS

// writePackage writes a package of the format deb or rpm to a new file.
func writePackage(a *archive, format, to string) (err error) {
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "package-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	info, err := describe(a, format, work)
	if err != nil {
		return err
	}
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	return create(to, func(f *os.File) error { return packager.Package(info, f) })
}

// describe describes a package. It writes the package's files into a folder, from where the library takes them.
func describe(a *archive, format, work string) (*nfpm.Info, error) {
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "versus2048", Version: a.version, Arch: a.architecture, Platform: "linux", MTime: a.date,
		Section: "games", Priority: "optional", License: "MIT", Maintainer: "The versus2048 authors",
		Description: "Arena, bots and analysis of the two-player form of 2048\n" +
			"An attacker places tiles, a defender slides the board. The arena plays tournaments of bots in any language " +
			"and shows them on its pages; bot plays, checks and writes bots; lab analyses the game.",
		DisableGlobbing: true,
	})
	// The package of the program that makes the arena's user.
	info.Depends = map[string][]string{"deb": {"passwd"}, "rpm": {"shadow-utils"}}[format]
	info.RPM.BuildHost = "localhost" // not the name of this machine
	// The best compression takes twice as long, and saves some thousandths. Each format has a compressor of its own.
	info.Deb.Compression, info.RPM.Compression = "gzip:6", "gzip:8"
	info.RPM.Summary = "Arena, bots and analysis of the two-player form of 2048"
	info.Scripts = nfpm.Scripts{PostInstall: "postinstall.sh", PreRemove: "preremove.sh", PostRemove: "postremove.sh"}
	for _, script := range []*string{&info.Scripts.PostInstall, &info.Scripts.PreRemove, &info.Scripts.PostRemove} {
		content, err := scripts.ReadFile(path.Join("scripts", *script))
		if err != nil {
			return nil, err
		}
		*script = filepath.Join(work, *script)
		if err := os.WriteFile(*script, content, 0o600); err != nil {
			return nil, err
		}
	}
	installed, err := layout(a, format)
	if err != nil {
		return nil, err
	}
	for _, f := range installed {
		content, err := f.in(work, a)
		if err != nil {
			return nil, err
		}
		info.Contents = append(info.Contents, content)
	}
	return info, nil
}

// in writes the file into a folder, and describes it for the library.
func (f installed) in(work string, a *archive) (*files.Content, error) {
	source := filepath.Join(work, "files", filepath.FromSlash(f.path))
	if err := os.MkdirAll(filepath.Dir(source), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(source, f.content, 0o600); err != nil {
		return nil, err
	}
	content := &files.Content{
		Source: source, Destination: f.path, Type: files.TypeFile,
		FileInfo: &files.ContentFileInfo{Mode: 0o644, Owner: "root", Group: "root", MTime: a.date},
	}
	if f.program {
		content.FileInfo.Mode = 0o755
	}
	if f.config {
		content.Type = files.TypeConfigNoReplace
	}
	return content, nil
}

// create makes a new file with the output of write.
func create(path string, write func(*os.File) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) // #nosec G302 -- for everybody
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
