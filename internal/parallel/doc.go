// Package parallel does many similar pieces of work at once.
//
//	squares := make([]int, 4)
//	err := parallel.Do(context.Background(), 2, len(squares), nil, func(i int) error {
//		squares[i] = i * i
//		return nil
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//
// Do is for pieces that can fail, and reports progress. Each is for pieces that cannot fail, and lets each
// worker have memory of its own.
package parallel
