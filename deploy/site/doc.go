// Site writes a site without an arena: a folder that any server of files can serve, also below another folder. Visitors
// play against the champion, analyse positions, solve puzzles, replay records and read the documents, all in their own
// browsers.
//
//	go run ./deploy/site --out site
//
// It runs in the repository, and needs Go alone. docs/HOSTING.md tells how to serve the folder.
package main
