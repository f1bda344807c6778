// Packages makes what only a release needs, of the archives for Linux that the program above it has made: packages for
// Debian and Fedora, and images for containers. It also signs. It is a module of its own, so that the project's module
// does not need the libraries.
//
//	go run . make FOLDER
//	go run . sign KEY FILE
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// makeAll makes packages and an image of each archive for Linux in the folder, beside it.
func makeAll(folder string) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*_linux_*.tar.gz"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := makeFrom(path, folder); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

// makeFrom makes the packages and the image of an archive in a folder.
func makeFrom(path, folder string) error {
	a, err := readArchive(path)
	if err != nil {
		return err
	}
	for _, format := range []string{"deb", "rpm"} {
		if err := writePackage(a, format, filepath.Join(folder, a.name+"."+format)); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	return writeImage(a, filepath.Join(folder, a.name+".oci.tar"))
}
