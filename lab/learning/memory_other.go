//go:build !linux

package learning

// adviseHugePages does nothing: only Linux takes the advice.
func adviseHugePages([]weight) {}
