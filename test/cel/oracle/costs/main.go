// Command costs prints upstream's own tables of costs as one line of JSON for each case: those of cel-go
// (checker/cost_test.go, interpreter/runtimecost_test.go) and of Kubernetes' libraries (pkg/cel/library/cost_test.go of
// k8s.io/apiserver). Both are under the Apache License 2.0. It runs the tests with a line in each that prints the case,
// and asks Kubernetes' CEL for the costs. On the standard error it counts the cases whose costs are those of the table.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed record.go.txt
var recorder string

// table is a test file of upstream. Each of its lines `before` gets a line above it that prints the case.
type table struct {
	module, file, tests string
	insertions          []insertion
}

type insertion struct{ before, line string }

var tables = []table{
	{"github.com/google/cel-go", "checker/cost_test.go", "TestCost", []insertion{
		{"if est.Min != tc.wanted.Min ||", "record(tc.name, tc.expr, tc.vars, tc.hints, nil, &tc.wanted.Min, &tc.wanted.Max, nil)"},
	}},
	{"github.com/google/cel-go", "interpreter/runtimecost_test.go", "TestRuntimeCost|TestTrackCostAdvanced", []insertion{
		{"if actualCost != tc.want {", "record(tc.name, tc.expr, tc.vars, nil, tc.in, nil, nil, &tc.want)"},
		{"if lhsCost != rhsCost {", "record(tc.lhsExpr, tc.lhsExpr, nil, nil, tc.in, nil, nil, &lhsCost); record(tc.rhsExpr, tc.rhsExpr, nil, nil, tc.in, nil, nil, &rhsCost)"},
		{"if lhsCost >= rhsCost {", "record(tc.lhsExpr, tc.lhsExpr, nil, nil, tc.in, nil, nil, &lhsCost); record(tc.rhsExpr, tc.rhsExpr, nil, nil, tc.in, nil, nil, &rhsCost)"},
		// The tables use random letters, of which only the number counts.
		{"b[i] = letterBytes[rand.Intn(len(letterBytes))]", "_ = rand.Intn; b[i] = letterBytes[i%len(letterBytes)]; continue"},
	}},
	{"k8s.io/apiserver", "pkg/cel/library/cost_test.go", "Test.*(Cost|Library)", []insertion{
		{"env, err := cel.NewEnv(\n\t\text.Strings(", "record(t.Name(), expr, nil, nil, nil, &expectEsimatedCost.Min, &expectEsimatedCost.Max, &expectRuntimeCost)"},
	}},
}

// recorded is a case of a table.
type recorded struct {
	Name       string                  `json:"name"`
	Expression string                  `json:"expression"`
	Types      map[string]recordedType `json:"types"`
	Sizes      map[string]uint64       `json:"sizes"`
	Bindings   map[string]string       `json:"bindings"`
	Min        *uint64                 `json:"min"`
	Max        *uint64                 `json:"max"`
	Cost       *uint64                 `json:"cost"`
}

type recordedType struct {
	Kind       int            `json:"kind"`
	Name       string         `json:"name"`
	Parameters []recordedType `json:"parameters"`
}

func main() {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	seen := map[string]bool{}
	for _, each := range tables {
		kept, same, left := 0, 0, 0
		for _, line := range each.run() {
			var asked recorded
			must(json.Unmarshal(line, &asked))
			if seen[string(line)] {
				continue
			}
			seen[string(line)] = true
			answer, ok := ask(asked)
			if !ok {
				left++
				fmt.Fprintf(os.Stderr, "left out: %s: %s\n", asked.Name, asked.Expression)
				continue
			}
			kept++
			if answer.agrees(asked) {
				same++
			}
			answer.Name = filepath.Base(filepath.Dir(each.file)) + ": " + asked.Name
			must(encoder.Encode(answer))
		}
		fmt.Fprintf(os.Stderr, "%s: %d cases, %d with the costs of the table, %d left out\n", each.file, kept, same, left)
	}
}

// run runs the tests of a table in a copy of their module, and returns the lines that they print.
func (t table) run() [][]byte {
	folder := strings.TrimSpace(output("go", "list", "-m", "-f", "{{.Dir}}", t.module))
	scratch, err := os.MkdirTemp("", "winnow-costs-")
	must(err)
	defer os.RemoveAll(scratch)
	module := filepath.Join(scratch, "module")
	must(os.CopyFS(module, os.DirFS(folder)))
	file := filepath.Join(module, t.file)
	text, err := os.ReadFile(file)
	must(err)
	source := string(text)
	for _, each := range t.insertions {
		if !strings.Contains(source, each.before) {
			fail(fmt.Errorf("%s has no line %q", t.file, each.before))
		}
		source = strings.ReplaceAll(source, each.before, each.line+"\n"+each.before)
	}
	must(os.Chmod(file, 0o600))
	must(os.WriteFile(file, []byte(source), 0o600))
	helper := strings.Replace(recorder, "package PACKAGE", "package "+filepath.Base(filepath.Dir(file)), 1)
	must(os.Chmod(filepath.Dir(file), 0o700))
	must(os.WriteFile(filepath.Join(filepath.Dir(file), "winnow_record_test.go"), []byte(helper), 0o600))
	modfile := filepath.Join(scratch, "go.mod")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		must(err)
		must(os.WriteFile(filepath.Join(scratch, name), text, 0o600))
	}
	output("go", "mod", "edit", "-replace", t.module+"="+module, modfile)
	arguments := []string{"test", "-modfile", modfile, "-mod=mod", "-count=1", "-v", "-run", "^(" + t.tests + ")$"}
	told := output("go", append(arguments, t.module+"/"+filepath.Dir(t.file))...)
	lines := [][]byte{}
	scanner := bufio.NewScanner(strings.NewReader(told))
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		if line, ok := bytes.CutPrefix(scanner.Bytes(), []byte("RECORD ")); ok {
			lines = append(lines, bytes.Clone(line))
		}
	}
	return lines
}

func output(name string, arguments ...string) string {
	command := exec.Command(name, arguments...)
	command.Stderr = os.Stderr
	told, err := command.Output()
	if err != nil {
		os.Stderr.Write(told)
	}
	must(err)
	return string(told)
}

func must(err error) {
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
