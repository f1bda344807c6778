// Package templates has the templates of pages, and parses the templates that a program needs.
//
//	pages, err := templates.Parse(template.FuncMap{"static": address}, "error")
//	if err != nil {
//		log.Fatal(err)
//	}
//
// It also has the texts of pages for numbers, times, pauses and the ends of games, which are [Number], [Span], [Pause],
// [Ending] and others.
package templates
