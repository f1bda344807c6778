//go:build !amd64

package kernel

// supported lists the instructions for this architecture.
func supported() []instructions { return []instructions{portable} }
