package versus2048_test

import (
	"fmt"

	"versus2048"
)

func Example() {
	fmt.Println(versus2048.Version())
}
