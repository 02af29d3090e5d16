// Answers what NetworkPolicies let through: a line of JSON for a line of JSON, a world of questions.go each. Rules are
// evaluated by cyclonus, defaults set and labels selected by Kubernetes' own packages.
package main

import (
	"bufio"
	"encoding/json"
	"os"
)

const longestLine = 1 << 28

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), longestLine)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	answers := json.NewEncoder(output)
	for lines.Scan() {
		var asked world
		check(json.Unmarshal(lines.Bytes(), &asked))
		check(answers.Encode(asked.answers()))
	}
	check(lines.Err())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
