package deploy_test

import (
	"bytes"
	"fmt"

	"versus2048/deploy"
)

func Example() {
	site, err := deploy.Files.ReadFile("nginx.conf")
	if err != nil {
		panic(err)
	}
	title, _, _ := bytes.Cut(site, []byte("\n"))
	fmt.Printf("%s\n", title)
	// Output: # An arena behind nginx, as docs/HOSTING.md explains: /etc/nginx/conf.d/arena.conf
}
