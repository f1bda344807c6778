package learning

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a large page on most processors, in bytes.
const hugePage = 2 << 20

// adviseHugePages asks for large pages for weights that were not used yet: the weights of a board lie in dozens of
// pages, and a processor remembers where some thousands of pages are. Without large pages learning is slower, and
// otherwise the same.
func adviseHugePages(all []weight) {
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), uintptr(len(all))*unsafe.Sizeof(all[0])) // #nosec G103: all of it
	begin := -uintptr(unsafe.Pointer(&memory[0])) % hugePage                                          // #nosec G103: the next multiple
	if begin < uintptr(len(memory)) {
		_ = syscall.Madvise(memory[begin:], syscall.MADV_HUGEPAGE)
	}
}
