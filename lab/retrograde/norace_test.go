//go:build !race

package retrograde_test

const slow = false
