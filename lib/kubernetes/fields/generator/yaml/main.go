// Writes YAML texts to standard output, one a line, each with what Kubernetes' reader makes of it: JSON or an error,
// and what its strict reading refuses. The tests of YAML bodies read them.
package main

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"
)

var scalars = []string{
	"", "~", "null", "Null", "nULL", "true", "True", "tRUE", "yes", "YES", "yEs", "no", "on", "Off", "y", "N", "t",
	"0", "1", "-1", "+1", "007", "017", "08", "0o17", "0x1F", "-0x1f", "0b101", "1_000", "1__0", "_1", "12e3", "1e3", "1E-2",
	"1.5", "1.", ".5", ".", "-.5", "+.5", "1.5e3", "1e", "e1", "1:30", "190:20:30", "2001-01-01", "2001-12-14t21:59:43.10-05:00",
	"9007199254740991", ".inf", "-.Inf", ".nan", "+", "-", "--", "=", "<<", "0x", "0.0", "-0", "00", "1,000", "1 000",
	"'yes'", "\"1\"", "!!str 1", "!!int \"1\"", "!!float 1", "!!bool \"true\"", "!!null \"\"", "'it''s'", "\"a\\tb\\u00e9\"", "a: b", "a b # c", "a#b",
	"{}", "[]", "[a, 1, yes]", "{a: 1, b: [x]}", "{a, b}", "|\n  x\n  y\n", ">-\n  x\n  y\n", "|+\n  x\n\n",
}

var documents = []string{
	"", "a", "- a\n- 1\n", "a: 1\nb: 2\n", "a: 1\na: 2\n", "a:\n  b: 1\n  b: 2\n", "1: a\n", "1.5: a\n", "true: a\n", "yes: a\n", "null: a\n", "~: a\n", "? [a]\n: b\n", "? {a: b}\n: c\n",
	"a: &x 1\nb: *x\n", "a: &x {p: 1}\nb:\n  <<: *x\n  q: 2\n", "a: &x {p: 1}\nb:\n  <<: *x\n  p: 2\n", "a: &x {p: 1}\nc: &y {q: 1}\nb:\n  <<: [*x, *y]\n", "a: *x\n",
	"a: 1\n---\nb: 2\n", "---\na: 1\n...\n", "%YAML 1.1\n---\na: yes\n", "# only a comment\n", "a: 1\n---\n[\n",
	"a: 1\n b: 2\n", "a: [1\n", "a: {b\n", "\ta: 1\n", "a:\n\t- b\n", "a: 'x\n", "a: \"\\q\"\n", "a: @x\n", "a: `x`\n", "a: %x\n", "- a\nb: 1\n", "a: b: c\n", "a:\n- b\n- c\n", "a:\n  - b: 1\n    c: 2\n",
	"{\"a\": {\"b\": [1, \"2\", null, true]}}", "{\"a\": 1,}", "{\"a\":1, \"a\":2}", "a: !!binary aGVsbG8=\n", "a: !foo x\n", "a: !!set {x}\n", "a: \"\\ud83d\\ude00\"\n",
	"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels: {a: \"1\"}\ndata:\n  k: |\n    line\n",
}

type outcome struct {
	YAML   string          `json:"yaml"`
	JSON   json.RawMessage `json:"json,omitempty"`
	Error  string          `json:"error,omitempty"`
	Strict string          `json:"strict,omitempty"`
}

func main() {
	texts := documents
	for _, scalar := range scalars {
		texts = append(texts, "a: "+scalar+"\n")
	}
	for _, text := range texts {
		line, err := json.Marshal(outcomeOf(text))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line))
	}
}

func outcomeOf(text string) outcome {
	read, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return outcome{YAML: text, Error: err.Error()}
	}
	if _, err := yaml.YAMLToJSONStrict([]byte(text)); err != nil {
		return outcome{YAML: text, JSON: read, Strict: err.Error()}
	}
	return outcome{YAML: text, JSON: read}
}
