package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"versus2048/internal/disk"
)

func sumName(file string) string { return file + ".sha256" }

// sumLine returns the content of the checksum file in the format of sha256sum.
func sumLine(sum, file string) []byte {
	return fmt.Appendf(nil, "%s  %s\n", sum, filepath.Base(file))
}

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
		return "", fmt.Errorf("%s is no line of sha256sum: remove it to do without", sumName(file))
	}
	return sum, nil
}
