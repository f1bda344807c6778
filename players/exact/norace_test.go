//go:build !race

package exact_test

const slow = false
