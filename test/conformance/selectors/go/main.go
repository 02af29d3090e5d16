// Kubernetes' own answers for the differential test: reads cases and writes what k8s.io/apimachinery says of each,
// a line of JSON each. See ../cases.ts for the cases and ../our-answer.ts for the same answers of ours; of node
// selectors k8s.io/component-helpers says it, see ../node-cases.ts and ../node-answer.ts.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type question struct {
	Kind     string                `json:"kind"`
	Text     string                `json:"text"`
	Selector *metav1.LabelSelector `json:"selector"`
	Map      map[string]string     `json:"map"`
	Sets     []map[string]string   `json:"sets"`
	Node     *v1.NodeSelector      `json:"node"`
	Nodes    []node                `json:"nodes"`
}

type requirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

// An answer is an error, or a selector: its text, its requirements and whether each set matches. Beside either, the
// field errors of the validation that a request meets, sorted: Go visits maps in no order.
type answer struct {
	Refused      bool          `json:"refused"`
	Error        string        `json:"error"`
	Text         string        `json:"text"`
	Empty        bool          `json:"empty"`
	Requirements []requirement `json:"requirements"`
	Matches      []bool        `json:"matches"`
	FieldErrors  []string      `json:"fieldErrors"`
	NameErrors   [][]string    `json:"nameErrors"`
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
		if asked.Kind == "node" {
			check(answers.Encode(askOfNodes(asked.Node, asked.Nodes)))
		} else {
			check(answers.Encode(ask(asked)))
		}
	}
	check(lines.Err())
}

func ask(asked question) answer {
	switch asked.Kind {
	case "label":
		selector, err := labels.Parse(asked.Text)
		return describe(selector, err, asked.Sets)
	case "object":
		selector, err := metav1.LabelSelectorAsSelector(asked.Selector)
		told := describe(selector, err, asked.Sets)
		options := metavalidation.LabelSelectorValidationOptions{}
		errors := metavalidation.ValidateLabelSelector(asked.Selector, options, field.NewPath("spec", "selector"))
		if told.Refused != (len(errors) > 0) {
			panic("validation and conversion differ")
		}
		if told.Refused {
			told.Error = errors.ToAggregate().Error()
		}
		told.FieldErrors = list(errors)
		return told
	case "map":
		selector, err := labels.ValidatedSelectorFromSet(asked.Map)
		told := describe(selector, err, asked.Sets)
		told.FieldErrors = list(metavalidation.ValidateLabels(asked.Map, field.NewPath("metadata", "labels")))
		return told
	case "field":
		return describeFields(asked)
	case "name":
		return answer{
			Text: field.Invalid(field.NewPath("a"), asked.Text, "").Error(),
			NameErrors: [][]string{
				validation.IsQualifiedName(asked.Text),
				validation.IsValidLabelValue(asked.Text),
				validation.IsDNS1123Label(asked.Text),
				validation.IsDNS1123Subdomain(asked.Text),
				validation.IsDNS1035Label(asked.Text),
			},
		}
	}
	panic(fmt.Sprintf("unknown kind %s", asked.Kind))
}

func describe(selector labels.Selector, err error, sets []map[string]string) answer {
	if err != nil {
		return answer{Refused: true, Error: err.Error()}
	}
	told := answer{Text: selector.String(), Empty: selector.Empty()}
	requirements, _ := selector.Requirements()
	for _, one := range requirements {
		told.Requirements = append(told.Requirements, requirement{one.Key(), string(one.Operator()), one.Values().List()})
	}
	for _, set := range sets {
		told.Matches = append(told.Matches, selector.Matches(labels.Set(set)))
	}
	return told
}

func describeFields(asked question) answer {
	selector, err := fields.ParseSelector(asked.Text)
	if err != nil {
		return answer{Refused: true, Error: err.Error()}
	}
	told := answer{Text: selector.String(), Empty: selector.Empty()}
	for _, one := range selector.Requirements() {
		told.Requirements = append(told.Requirements, requirement{one.Field, string(one.Operator), []string{one.Value}})
	}
	for _, set := range asked.Sets {
		told.Matches = append(told.Matches, selector.Matches(fields.Set(set)))
	}
	return told
}

func list(errors field.ErrorList) []string {
	var texts []string
	for _, one := range errors {
		texts = append(texts, fmt.Sprintf("%s %s", string(one.Type), one.Error()))
	}
	sort.Strings(texts)
	return texts
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
