// Answers what Kubernetes' mutating policies make of objects: a line of JSON for a line of JSON, a scene of scene.go each.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"os"

	"k8s.io/klog/v2"
)

const longestLine = 1 << 28

func main() {
	silence()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), longestLine)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	answers := json.NewEncoder(output)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		var asked scene
		check(json.Unmarshal(lines.Bytes(), &asked))
		check(answers.Encode(asked.answers()))
	}
	check(lines.Err())
}

// silence drops the lines that the plugin logs.
func silence() {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(flags)
	check(flags.Set("logtostderr", "false"))
	check(flags.Set("stderrthreshold", "FATAL"))
	klog.SetOutput(io.Discard)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
