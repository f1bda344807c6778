// Packages makes further files of a release from the archives that the program deploy/release has made: packages for
// Debian and Fedora, images for containers, and wheels for Python. It also signs files. It is a module of its own, so
// that the project's module does not need the libraries.
//
//	go run . make FOLDER
//	go run . sign KEY FILE
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// run carries out a command line.
func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "make":
		return makeAll(args[1])
	case len(args) == 3 && args[0] == "sign":
		return sign(args[1], args[2], os.Getenv(passwordVariable))
	default:
		return errors.New("want: make FOLDER, or sign KEY FILE")
	}
}

// makeAll makes the files of all archives in the folder, beside them.
func makeAll(folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".tar.gz") && !strings.HasSuffix(f.Name(), ".zip") {
			continue
		}
		if err := makeFrom(filepath.Join(folder, f.Name()), folder); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return nil
}

// makeFrom makes the files of an archive in a folder: a wheel, and for Linux the packages and the image.
func makeFrom(path, folder string) error {
	a, err := readArchive(path)
	if err != nil {
		return err
	}
	if err := writeWheel(a, folder); err != nil || a.system != "linux" {
		return err
	}
	for _, format := range []string{"deb", "rpm"} {
		if err := writePackage(a, format, filepath.Join(folder, a.name+"."+format)); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	return writeImage(a, filepath.Join(folder, a.name+".oci.tar"))
}
