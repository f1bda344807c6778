// Release makes the files of a release from the last commit, whatever the working tree has. Each system gets an archive
// with the programs arena, bot and lab and the files for a host, a list of the parts of the programs in CycloneDX's
// format, and a wheel of the Python package. Linux also gets packages, and an image for containers. An archive of the
// site that needs no arena and the checksums of all files complete the release. The checksums are signed if a key is
// named.
//
//	go run ./deploy/release --out release
//	go run ./deploy/release --out release --only linux/amd64
//	go run ./deploy/release --out release --key minisign.key
//	go run ./deploy/release site --out site
//	go run ./deploy/release dataset --openings 10 --seed 1 --out dist/dataset
//
// Two runs with the same version of Go make the same bytes, on any machine: the programs contain no path of the
// machine, and no time except for the time of the commit.
//
// The commands site and dataset write only the site, or a dataset of games. The command module gives the project's
// module its public import path. All commands need only the repository, Go and git.
package main
