//go:build !amd64

package neural

// supported lists the instructions for this architecture.
func supported() []instructions { return []instructions{portable} }
