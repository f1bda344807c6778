package parquet

import (
	"archive/zip"
	"fmt"
	"io"

	"versus2048/results"
)

// WriteZip writes the three files of the tables into a ZIP archive, one after the other, so that nothing has to be kept
// until the end. For every file it calls each once, with a function that takes a game. All three calls must pass the
// same games, read as [Writer.Write] needs them.
func WriteZip(to io.Writer, from Source, each func(func(results.Stored) error) error) error {
	archive := zip.NewWriter(to)
	for i, name := range []string{GamesFile, PliesFile, SearchesFile} {
		// The tables are compressed already.
		file, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		var files [3]io.Writer // NewWriter leaves out the other two tables
		files[i] = file
		w := NewWriter(from, files[0], files[1], files[2])
		if err := each(w.Write); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return archive.Close()
}
