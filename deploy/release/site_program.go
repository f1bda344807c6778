package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"versus2048/internal/web/offline"
)

// siteProgram returns the compressed WebAssembly program that plays as the champion and makes pages in browsers.
func siteProgram(ctx context.Context, repository string, c offline.Config) (packed []byte, err error) {
	folder, err := os.MkdirTemp("", "site-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "program.wasm")
	flags := fmt.Sprintf("-ldflags=-s -w -buildid= -X 'main.static=%s' -X 'main.version=%s'", c.Static, c.Version)
	environment := []string{"GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS="}
	_, err = trimmed(ctx, repository, environment, "go", "build", "-tags", "site", "-trimpath", "-buildvcs=false", flags, "-o", file, "./internal/web/inbrowser/wasm")
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(file)
	return compressed(content), err
}

// compressed returns content compressed by gzip. Browsers decompress it by themselves.
func compressed(content []byte) []byte {
	var short bytes.Buffer
	z, _ := gzip.NewWriterLevel(&short, gzip.BestCompression) // no error: the level is a valid one
	_, _ = z.Write(content)                                   // a buffer takes everything
	_ = z.Close()
	return short.Bytes()
}
