// Package templates has the templates of pages, and parses the templates that a program needs.
//
//	pages, err := templates.Parse(template.FuncMap{"static": address}, "error")
//	if err != nil {
//		log.Fatal(err)
//	}
//
// Its functions [Number], [Span], [Pause], [Ending] and others write numbers, times, pauses and the ends of games as
// pages show them.
package templates
