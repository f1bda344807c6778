// Package templates has the templates of pages, and parses the templates that a program needs.
//
//	pages, err := templates.Parse(template.FuncMap{"static": address}, "error")
//	if err != nil {
//		log.Fatal(err)
//	}
package templates
