package hosted_test

import (
	"context"
	"os"

	"versus2048/internal/check"
	"versus2048/internal/check/hosted"
	"versus2048/internal/server"
)

func Example() {
	_ = func(ctx context.Context) error {
		client := &server.Client{URL: "http://127.0.0.1:2048"}
		report, err := hosted.Run(ctx, client, "tiny", check.DefaultSlack)
		if err != nil {
			return err
		}
		return report.WriteText(os.Stdout)
	}
}
