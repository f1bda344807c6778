package templates_test

import (
	"fmt"
	"html/template"
	"log"

	"versus2048/internal/web/templates"
)

func Example() {
	address := func(file string) string { return "/static/" + file }
	pages, err := templates.Parse(template.FuncMap{"static": address}, "error")
	if err != nil {
		log.Fatal(err)
	}
	html, err := pages.Make("error", "main", map[string]any{"Body": map[string]any{"Title": "There is no game 7", "Advice": "Look for it.", "Status": 404}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(html) > 100)
	// Output: true
}
