// Package deploy embeds the examples of this folder that put an arena on a server. docs/HOSTING.md explains them. With
// the build tag "hosting" its tests run an arena behind the real programs that the examples are for.
//
//	site, err := deploy.Files.ReadFile("nginx.conf")
package deploy

import "embed"

// Files are the examples. They use the host name arena.example.org.
//
//go:embed nginx.conf Caddyfile Dockerfile arena.service arena.default arena-backup.service arena-backup.timer compose.yaml
var Files embed.FS
