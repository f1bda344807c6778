// Package exact reads tables of solved games. A table has the value of every position of a small board when
// both sides play perfectly, or under solo when the defender plays perfectly against chance.
//
//	table, err := exact.Open("testdata/gpcc2015-2x2.table")
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer table.Close()
//	value, err := table.Value(rules.NewPosition(table.Rules(), table.Size()))
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(value.Gain, value.Plies)
//
// lab solve writes the file. Game and Builder are for the laboratory, which makes the tables.
package exact
