// Package share limits processes to a share of all processors:
//
//	limit := share.New(0.2)
//	defer limit.Close()
//	if err := limit.Add(program.Process.Pid); err != nil {
//		log.Fatal(err)
//	}
package share
