//go:build js && site

package main

import (
	"fmt"
	"os"
	"syscall/js"

	"versus2048/internal/web/offline"
)

// version and static are set by the linker: the version of the program, and the address of the site's modules.
var version, static string

// The program of a site without an arena makes pages, too. It gives JavaScript these functions, as properties of
// globalThis.pages:
//
//	needs(path, query, body)           returns {table, own}: the table to load before the request is answered, "" for
//	                                   none, and whether it comes with the site
//	load(content)                      loads a table of exact values from the bytes of its file, and returns its name
//	answer(path, query, body, answer)  answers a request, and calls answer with {status, address, body}
//
// If something is wrong, load returns {error}.
func init() {
	site, err := offline.New(offline.Config{Static: static, Version: version})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	js.Global().Set("pages", map[string]any{
		"needs": js.FuncOf(func(_ js.Value, args []js.Value) any {
			needed := site.Needs(request(args))
			return map[string]any{"table": needed.Table, "own": needed.Own}
		}),
		"load": js.FuncOf(func(_ js.Value, args []js.Value) any { return loadTable(site, args[0]) }),
		"answer": js.FuncOf(func(_ js.Value, args []js.Value) any {
			go func() { // a callback must not wait, but the answer does
				a := site.Answer(request(args))
				args[3].Invoke(map[string]any{"status": a.Status, "address": a.Address, "body": a.Body})
			}()
			return nil
		}),
	})
}

func request(args []js.Value) offline.Request {
	return offline.Request{Path: args[0].String(), Query: args[1].String(), Body: args[2].String()}
}

func loadTable(site *offline.Site, from js.Value) any {
	content := make([]byte, from.Length())
	js.CopyBytesToGo(content, from)
	name, err := site.Load(content)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return name
}
