// Records what Kubernetes itself answers about node selectors: reads the cases in nodes.json (standard input) and
// writes them back with every answer filled in (standard output). The staging modules need their own versions:
//
//	go mod init golden && go get k8s.io/kubernetes@v1.33.2
//	sed -n 's|^\s*\(k8s.io/\S*\) => ./staging.*|\1|p' "$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)/go.mod" |
//	  while read -r m; do go mod edit -replace "$m=$m@v0.33.2"; done
//	go mod edit -replace k8s.io/externaljwt=k8s.io/externaljwt@v0.33.3
//	go mod tidy && go run record-nodes.go < nodes.json > recorded.json
package main

import (
	"encoding/json"
	"os"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
)

type node struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels"`
}

// fieldError is a field.Error: what is wrong, where, and the whole sentence.
type fieldError struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

type answer struct {
	// From the API server's validation.
	Validation []fieldError `json:"validation"`
	// From the constructor that refuses: its fields at fault and its message.
	Errors  []fieldError `json:"errors"`
	Message string       `json:"message"`
	// From the one that does not: one sign (+ or -) per node.
	Matches string `json:"matches"`
}

type golden struct {
	Source string `json:"source"`
	Nodes  []node `json:"nodes"`
	Cases  []struct {
		Input  json.RawMessage `json:"input"`
		Answer answer          `json:"answer"`
	} `json:"cases"`
}

var path = field.NewPath("spec", "required")

func main() {
	var g golden
	must(json.NewDecoder(os.Stdin).Decode(&g))
	for i := range g.Cases {
		var selector v1.NodeSelector
		must(json.Unmarshal(g.Cases[i].Input, &selector))
		g.Cases[i].Answer = answerOf(&selector, g.Nodes)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	must(out.Encode(g))
}

func answerOf(selector *v1.NodeSelector, nodes []node) answer {
	a := answer{Validation: []fieldError{}, Errors: []fieldError{}}
	var internal core.NodeSelector
	must(corev1.Convert_v1_NodeSelector_To_core_NodeSelector(selector, &internal, nil))
	for _, err := range validation.ValidateNodeSelector(&internal, false, path) {
		a.Validation = append(a.Validation, ofError(err))
	}
	if _, err := nodeaffinity.NewNodeSelector(selector, field.WithPath(path)); err != nil {
		a.Message = err.Error()
		for _, one := range err.(utilerrors.Aggregate).Errors() {
			a.Errors = append(a.Errors, ofError(one.(*field.Error)))
		}
	}
	lazy := nodeaffinity.NewLazyErrorNodeSelector(selector, field.WithPath(path))
	for _, n := range nodes {
		matches, _ := lazy.Match(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}})
		if matches {
			a.Matches += "+"
		} else {
			a.Matches += "-"
		}
	}
	return a
}

func ofError(err *field.Error) fieldError {
	return fieldError{Type: string(err.Type), Field: err.Field, Message: err.Error()}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
