// Package deploy holds the files of this folder, which help to put an arena on a server: examples that
// docs/HOSTING.md explains. With the build tag "hosting" its tests run an arena behind the real programs that
// the files are for.
//
//	site, err := deploy.Files.ReadFile("nginx.conf")
package deploy

import "embed"

// Files are the examples. Their arena is arena.example.org.
//
//go:embed nginx.conf Caddyfile Dockerfile arena.service arena.default arena-backup.service arena-backup.timer compose.yaml
var Files embed.FS
