// Kubernetes' own answers for the differential test of strategic merge patches: reads cases, and writes what
// k8s.io/apimachinery/pkg/util/strategicpatch makes of each, a line of JSON a case. See ../cases.ts for the cases.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

// One of: a patch as it is; one that the package makes from two objects; one that it makes from three.
type question struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Live       json.RawMessage `json:"live"`
	Patch      json.RawMessage `json:"patch"`
	Before     json.RawMessage `json:"before"`
	After      json.RawMessage `json:"after"`
	ThreeWay   bool            `json:"threeWay"`
}

// Without a patch none could be made; with an error it did not apply.
type answer struct {
	Patch  json.RawMessage `json:"patch"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	written := bufio.NewWriter(os.Stdout)
	defer written.Flush()
	answers := json.NewEncoder(written)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		var asked question
		check(json.Unmarshal(lines.Bytes(), &asked))
		check(answers.Encode(answerTo(asked)))
	}
	check(lines.Err())
}

func answerTo(asked question) answer {
	typed, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(asked.APIVersion, asked.Kind))
	check(err)
	patch, err := patchOf(asked, typed)
	if err != nil {
		return answer{Error: err.Error()}
	}
	result, err := strategicpatch.StrategicMergePatch(asked.Live, patch, typed)
	if err != nil {
		return answer{Patch: patch, Error: err.Error()}
	}
	return answer{Patch: patch, Result: result}
}

func patchOf(asked question, typed runtime.Object) ([]byte, error) {
	if asked.Patch != nil {
		return asked.Patch, nil
	}
	if !asked.ThreeWay {
		return strategicpatch.CreateTwoWayMergePatch(asked.Before, asked.After, typed)
	}
	meta, err := strategicpatch.NewPatchMetaFromStruct(typed)
	check(err)
	return strategicpatch.CreateThreeWayMergePatch(asked.Before, asked.After, asked.Live, meta, true)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
