// Answers which EndpointSlices and Endpoints Kubernetes writes: a line of JSON for a line of JSON, a question of
// questions.go each.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"k8s.io/klog/v2"
)

const longestLine = 1 << 28

func main() {
	klog.SetLogger(klog.Logger{})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), longestLine)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	answers := json.NewEncoder(output)
	endpoints := newEndpointsPeer()
	for lines.Scan() {
		var asked question
		check(json.Unmarshal(lines.Bytes(), &asked))
		check(answers.Encode(answer{Slices: asked.sliceChanges(), Endpoints: endpoints.changes(&asked)}))
	}
	check(lines.Err())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
