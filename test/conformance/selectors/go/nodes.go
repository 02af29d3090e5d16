package main

import (
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

type node struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels"`
}

// What the scheduler makes of a node selector: the errors of the constructor that refuses one, and its message; and
// which nodes match for the constructor that does not refuse.
type nodeAnswer struct {
	Error       string   `json:"error"`
	FieldErrors []string `json:"fieldErrors"`
	Matches     []bool   `json:"matches"`
}

func askOfNodes(selector *v1.NodeSelector, nodes []node) nodeAnswer {
	var told nodeAnswer
	path := field.WithPath(field.NewPath("spec", "required"))
	if _, err := nodeaffinity.NewNodeSelector(selector, path); err != nil {
		told.Error = err.Error()
		var fields field.ErrorList
		for _, one := range err.(errors.Aggregate).Errors() {
			fields = append(fields, one.(*field.Error))
		}
		told.FieldErrors = list(fields)
	}
	lazy := nodeaffinity.NewLazyErrorNodeSelector(selector, path)
	for _, one := range nodes {
		// The error is that of a term that cannot be read: it has been told.
		matched, _ := lazy.Match(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: one.Name, Labels: one.Labels}})
		told.Matches = append(told.Matches, matched)
	}
	return told
}
