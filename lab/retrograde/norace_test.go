//go:build !race

package retrograde_test

const raced = false
