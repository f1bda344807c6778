// Package schema derives JSON Schemas from Go types and their comments, and checks texts by the schemas in
// docs/schemas. Only tests use it: no program links the library of schemas.
//
//	file, err := schema.Read("wire.json")
//	if err == nil {
//		err = file.Check("Resign", []byte(`{"type": "resign", "game": "17", "ply": 4}`))
//	}
package schema
