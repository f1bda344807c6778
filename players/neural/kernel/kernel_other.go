//go:build !amd64

package kernel

// supported lists the instructions that there are for this architecture.
func supported() []instructions { return []instructions{portable} }
