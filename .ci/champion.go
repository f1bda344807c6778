// champion compiles the champion for browsers, which internal/web embeds:
//
//	go run .ci/champion.go
//
// It writes internal/web/static/champion.wasm.br, compressed by Brotli. It also copies wasm_exec.js, the program of the
// same Go that starts the champion, to internal/web/static/vendor. The same sources and the same Go make the same
// bytes. The compiler uses the profile default.pgo in the program's folder.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/andybalholm/brotli"
)

const (
	program = "./internal/web/inbrowser/wasm"
	static  = "internal/web/static"
)

func main() {
	log.SetFlags(0)
	if err := build(); err != nil {
		log.Fatal(err)
	}
}

func build() error {
	compiled, err := compile()
	if err != nil {
		return err
	}
	var short bytes.Buffer
	w := brotli.NewWriterOptions(&short, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := w.Write(compiled); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(static, "champion.wasm.br"), short.Bytes(), 0o600); err != nil {
		return err
	}
	fmt.Printf("%d bytes, %d compressed, by %s\n", len(compiled), short.Len(), runtime.Version())
	return copyStarter()
}

// compile compiles the champion and returns its WebAssembly.
func compile() ([]byte, error) {
	folder, err := os.MkdirTemp("", "champion-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "champion.wasm")
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", path, program)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=")
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("compiling %s: %w", program, err)
	}
	return os.ReadFile(path)
}

// copyStarter copies the program that starts programs of this Go in browsers, and its licence.
func copyStarter() error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	for from, to := range map[string]string{"lib/wasm/wasm_exec.js": "wasm_exec.js", "LICENSE": "wasm_exec.LICENSE"} {
		content, err := os.ReadFile(filepath.Join(string(bytes.TrimSpace(root)), filepath.FromSlash(from)))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(static, "vendor", to), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
