package learning

// prefetch begins to load the weights with these numbers into the cache. count is the number of numbers, at least 1.
//
//go:noescape
func prefetch(all *weight, numbers *uint32, count int)
