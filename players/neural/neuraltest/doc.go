// Package neuraltest makes small networks for tests.
//
//	n := neuraltest.Network("td", rules.Solo, rules.Size{Width: 2, Height: 2}, 1)
//	e := n.Evaluator(1)
//	e.Boards([]rules.Board{rules.Board(0).With(0, 1)}, nil)
//	value, err := e.Run("value")
//	fmt.Println(len(value), err)
//
// Their weights are random, so that they do not play well, but they are always the same for the same seed.
package neuraltest
