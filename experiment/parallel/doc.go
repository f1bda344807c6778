// Package parallel does many like pieces of work at once, with progress.
//
//	squares := make([]int, 4)
//	err := parallel.Do(context.Background(), 2, len(squares), nil, func(i int) error {
//		squares[i] = i * i
//		return nil
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
package parallel
