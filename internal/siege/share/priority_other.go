//go:build !unix

package share

import "errors"

func lowestPriority(int) error { return errors.New("this system has no priorities that siege knows") }
