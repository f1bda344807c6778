package retrograde_test

import (
	"fmt"
	"log"
	"os"

	"versus2048/lab/picture"
	"versus2048/lab/retrograde"
	"versus2048/rules"
)

func ExampleTree() {
	tree, err := retrograde.NewTree(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tree.Summary())
	if err := tree.WritePicture(os.Stdout, picture.SVG); err != nil {
		log.Fatal(err)
	}
}
