//go:build !unix

package main

import "errors"

func lowestPriority(int) error { return errors.New("this system has no priorities that siege knows") }
