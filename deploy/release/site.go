package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"versus2048"
	"versus2048/internal/web/offline"
	"versus2048/lab/retrograde"
	"versus2048/players/ntuple"
	"versus2048/rules"
)

// siteModules has the JavaScript files that only the site needs.
//
//go:embed site_modules
var siteModules embed.FS

// champion is the file with the program that an arena sends to browsers. The site has another program, which also makes
// pages.
const champion = "champion.wasm.br"

// site is the files of a site, by their names.
type site map[string][]byte

// makeSite makes all files of a site from the sources.
func makeSite(ctx context.Context, repository string) (site, error) {
	static, err := staticFiles(repository)
	if err != nil {
		return nil, err
	}
	folder := "static/" + namedSum(static)
	files := site{}
	for name, content := range static {
		files[path.Join(folder, name)] = content
	}
	config := offline.Config{Static: "/" + folder, Version: versus2048.Version()}
	if files[path.Join(folder, "champion.wasm.gz")], err = siteProgram(ctx, repository, config); err != nil {
		return nil, err
	}
	if err := files.addData(ctx); err != nil {
		return nil, err
	}
	if err := files.addPages(config); err != nil {
		return nil, err
	}
	return files, files.addKeeper()
}

// staticFiles returns the files that pages load: the files of an arena, some of them replaced by the site's own.
func staticFiles(repository string) (site, error) {
	files := site{}
	for _, from := range []fs.FS{os.DirFS(filepath.Join(repository, "internal", "web", "static")), mustSub(siteModules, "site_modules")} {
		err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || name == keeper {
				return err
			}
			files[name], err = fs.ReadFile(from, name)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	delete(files, champion)
	return files, nil
}

// mustSub returns a folder that is embedded.
func mustSub(from fs.FS, folder string) fs.FS {
	sub, err := fs.Sub(from, folder)
	if err != nil {
		panic(err) // only for a wrong name
	}
	return sub
}

// namedSum returns a text that changes with every change of the files.
func namedSum(files site) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n", name, len(files[name]))
		sum.Write(files[name])
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// coarse is the step, in units, of the rounded weights of the network for solo. Rounding leaves a third of the file. No
// search uses this network, only the bar of the pages: the rounding changes the bar by 0.1 percentage points on
// average, and by at most 0.7 in 2,000 positions.
const coarse = 256

// addData adds the networks and the tables of exact values.
func (s site) addData(ctx context.Context) error {
	for _, r := range rules.Rulesets() {
		network := ntuple.OwnFile(r)
		if r == rules.Solo {
			var short bytes.Buffer
			if err := ntuple.Own(r).Coarse(coarse).Write(&short); err != nil {
				return err
			}
			network = short.Bytes()
		}
		s["static/networks/"+ntuple.OwnName(r)+".gz"] = compressed(network)
		for _, size := range offline.TableSizes() {
			solution, err := retrograde.Solve(ctx, r, size, nil)
			if err != nil {
				return err
			}
			var content bytes.Buffer
			if err := solution.Encode(&content); err != nil {
				return err
			}
			s["tables/"+offline.TableName(r, size)+".gz"] = compressed(content.Bytes())
		}
	}
	return nil
}

// keeper is the script of the service worker that keeps the files of the site for use without a network.
const keeper = "offline.js"

// addKeeper adds the keeper with a list of all other files, except for the files for agents.
func (s site) addKeeper() error {
	code, err := siteModules.ReadFile("site_modules/" + keeper)
	if err != nil {
		return err
	}
	isForAgents := func(name string) bool { return path.Ext(name) == ".md" || name == "llms.txt" }
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(s)), isForAgents)
	names[slices.Index(names, "index.html")] = "./"
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	s[keeper] = []byte(fmt.Sprintf("const build = %q, files = %s;\n\n%s", namedSum(s), list, code))
	return nil
}
