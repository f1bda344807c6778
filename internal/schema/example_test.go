package schema_test

import (
	"fmt"

	"versus2048/internal/schema"
)

func Example() {
	file, err := schema.Read("wire.json")
	if err == nil {
		err = file.Check("Resign", []byte(`{"type": "resign", "game": "17", "ply": 4}`))
	}
	fmt.Println(err)
	// Output: <nil>
}
