package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeParts writes a list of the modules in the programs, as a software bill of materials in CycloneDX's JSON
// (https://cyclonedx.org/specification/overview/). It takes the modules from the records that the Go command wrote
// into the programs.
func (b *built) writeParts(w io.Writer) error {
	whole := component(cdx.ComponentTypeApplication, &debug.Module{Path: b.parts[0].Main.Path, Version: "v" + b.version})
	standard := component(cdx.ComponentTypeLibrary, &debug.Module{Path: "std", Version: strings.TrimPrefix(b.parts[0].GoVersion, "go")})
	components := []cdx.Component{standard}
	for _, module := range b.modules() {
		components = append(components, component(cdx.ComponentTypeLibrary, module))
	}
	var refs []string
	for _, c := range components {
		refs = append(refs, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{
		Timestamp:  b.dateText(),
		Component:  &whole,
		Properties: &[]cdx.Property{{Name: "system", Value: b.system.String()}},
	}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: whole.BOMRef, Dependencies: &refs}}
	encoder := cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON)
	return encoder.SetPretty(true).Encode(bom)
}

// component describes a module, or the module that replaces it.
func component(kind cdx.ComponentType, module *debug.Module) cdx.Component {
	if module.Replace != nil {
		module = module.Replace
	}
	address := fmt.Sprintf("pkg:golang/%s@%s", module.Path, module.Version) // https://github.com/package-url/purl-spec
	c := cdx.Component{Type: kind, BOMRef: address, Name: module.Path, Version: module.Version, PackageURL: address}
	// The Go command's own hash of a module's files is a SHA-256 (golang.org/x/mod/sumdb/dirhash).
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(module.Sum, "h1:")); err == nil && len(sum) > 0 {
		c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
	}
	return c
}
