package parquet

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"versus2048/internal/disk"
)

// WriteFolder writes the three files of the tables into a folder. write passes the games to the Writer.
// WriteFolder makes the folder if it does not exist. If write fails, no file is left. Without replace, if one
// of the files exists, WriteFolder returns an error that wraps fs.ErrExist before it calls write.
func WriteFolder(folder string, replace bool, from Source, write func(*Writer) error) error {
	made := os.Mkdir(folder, 0o750)
	if made != nil && !errors.Is(made, fs.ErrExist) {
		return made
	}
	err := writeFiles(folder, []string{GamesFile, PliesFile, SearchesFile}, replace, nil, func(files []io.Writer) error {
		w := NewWriter(from, files[0], files[1], files[2])
		if err := write(w); err != nil {
			return err
		}
		return w.Close()
	})
	if err != nil && made == nil {
		err = errors.Join(err, os.Remove(folder))
	}
	return err
}

// writeFiles writes all files of a folder, or none. It opens each file inside the writing of the
// one before, so that no file gets its name before all of them are written.
func writeFiles(folder string, names []string, replace bool, opened []io.Writer, write func([]io.Writer) error) error {
	if len(names) == 0 {
		return write(opened)
	}
	return disk.Write(filepath.Join(folder, names[0]), replace, func(w io.Writer) error {
		return writeFiles(folder, names[1:], replace, append(opened, w), write)
	})
}
