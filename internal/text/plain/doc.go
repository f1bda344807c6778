// Package plain makes texts from strangers safe to show: names of bots and events, refusals, details of faults
// and error messages. Some of them come from files that anybody may have written.
//
//	fmt.Println(plain.Line("a\x1b[2Jb\nc")) // for a terminal, which it would have cleared
//	fmt.Println(plain.CSV("=1+1"))          // for a spreadsheet, which would have computed it
//	fmt.Println(plain.Markdown("<b>|`x`"))  // for a page, where it would have been a tag and code
//
// It also reads such texts: lines of bounded length ([ReadLine]), and texts that begin with a byte order mark, as some
// editors and shells write them ([TrimBOM]). Text files, records and requests from people and bots are read through it.
package plain
