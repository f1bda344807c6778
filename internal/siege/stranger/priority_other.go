//go:build !unix

package stranger

import "errors"

func lowestPriority(int) error { return errors.New("this system has no priorities that siege knows") }
