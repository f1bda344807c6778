#include "textflag.h"

// func prefetch(all *weight, numbers *uint32, count int)
TEXT ·prefetch(SB), NOSPLIT, $0-24
	MOVQ all+0(FP), AX
	MOVQ numbers+8(FP), BX
	MOVQ count+16(FP), CX

next:
	MOVL       (BX), DX
	LEAQ       (DX)(DX*2), DX // a weight has three numbers of four bytes
	PREFETCHT0 (AX)(DX*4)
	ADDQ       $4, BX
	DECQ       CX
	JNE        next
	RET
