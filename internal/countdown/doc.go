// Package countdown has a context that ends after a number of steps, for tests of what is interrupted at each of
// them:
//
//	ctx := countdown.New(context.Background(), 2)
//	for ctx.Err() == nil {
//		fmt.Println("a step")
//	}
package countdown
