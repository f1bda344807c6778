package templates

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// files has a folder for each language. Some file names end in .txt, which hides the files from the Go tool. Write
// leaves this ending out.
//
//go:embed files
var files embed.FS

// placeholder stands for the bot's name in the files.
const placeholder = "mybot"

// Template is a bot in one language.
type Template struct {
	Language string // as in a command, such as "cpp"
	Title    string // as in a sentence, such as "C++"
	Build    string // the command that builds it, in its folder; "" if there is nothing to build
	Run      string // the command that runs it there, over stdin and stdout
}

// All returns the templates, one for each language.
func All() []Template {
	return []Template{
		{"python", "Python", "", "python3 bot.py"},
		{"javascript", "JavaScript", "", "node bot.mjs"},
		{"go", "Go", "go build -o bot .", "./bot"},
		{"rust", "Rust", "cargo build --release", "target/release/bot"},
		{"cpp", "C++", "g++ -O2 -std=c++17 -o bot bot.cpp", "./bot"},
		{"java", "Java", "javac -d classes Bot.java", "java -cp classes Bot"},
	}
}

// Languages returns the languages of the templates, as a command names them.
func Languages() (names []string) {
	for _, t := range All() {
		names = append(names, t.Language)
	}
	return names
}

// Find returns the template of a language. Its error lists all languages.
func Find(language string) (Template, error) {
	for _, t := range All() {
		if t.Language == language {
			return t, nil
		}
	}
	return Template{}, fmt.Errorf("there is no template for %q: want one of %s", language, strings.Join(Languages(), ", "))
}

// Write writes the bot under a name of letters, digits and hyphens into a folder, which it makes. It returns an
// error if the folder is not empty.
func (t Template) Write(name, folder string) error {
	if err := makeEmpty(folder); err != nil {
		return err
	}
	from, err := fs.Sub(files, "files/"+t.Language)
	if err != nil {
		return err
	}
	return fs.WalkDir(from, ".", func(path string, entry fs.DirEntry, err error) error {
		to := filepath.Join(folder, filepath.FromSlash(strings.TrimSuffix(path, ".txt")))
		switch {
		case err != nil || path == ".":
			return err
		case entry.IsDir():
			return os.Mkdir(to, 0o755) // #nosec G301 -- source code, for every user with access to the folder
		}
		text, err := fs.ReadFile(from, path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, []byte(strings.ReplaceAll(string(text), placeholder, name)), 0o644) // #nosec G306 -- as above
	})
}

// makeEmpty makes a folder. It returns an error unless there is an empty folder afterwards.
func makeEmpty(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(folder, 0o755) // #nosec G301 -- as above
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("the folder %s is not empty, it has %s: name a new one", folder, entries[0].Name())
	}
	return nil
}

// Name returns a name for the bot in a folder: the folder's name with a hyphen in place of each character except ASCII
// letters and digits, without the hyphens at its ends, cut to longestName characters. If nothing is left, the name is
// placeholder.
func Name(folder string) (string, error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", r) {
			return r
		}
		return '-'
	}, filepath.Base(path))
	name = strings.Trim(name, "-")
	if name == "" {
		name = placeholder
	}
	return name[:min(len(name), longestName)], nil
}

// longestName is the largest number of characters in a name from a folder: an arena takes up to 64.
const longestName = 40
