package learning

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a large page on most processors, in bytes.
const hugePage = 2 << 20

// adviseHugePages asks for large pages for memory that was not used yet: a board's weights lie in dozens of
// pages, more than the processor remembers. Without them learning is slower, and otherwise the same.
func adviseHugePages(memory []byte) {
	begin := -uintptr(unsafe.Pointer(&memory[0])) % hugePage
	if begin < uintptr(len(memory)) {
		_ = unix.Madvise(memory[begin:], unix.MADV_HUGEPAGE)
	}
}
