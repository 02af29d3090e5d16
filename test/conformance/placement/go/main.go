// Answers where kube-scheduler would place pods: a line of JSON for a line of JSON, a question of questions.go each.
// It runs the default profile's plugins in the real framework over the real cache; volumes, dynamic resources and
// preemption are left out.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"

	"k8s.io/klog/v2"
)

const longestLine = 1 << 28

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), longestLine)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	answers := json.NewEncoder(output)
	answers.SetEscapeHTML(false)
	placers := newPlacers()
	for lines.Scan() {
		var asked question
		check(json.Unmarshal(lines.Bytes(), &asked))
		check(answers.Encode(placers.of(asked.Profile).answer(asked)))
	}
	check(lines.Err())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
