// Records what Kubernetes itself answers: reads the cases in golden.json (standard input) and writes them back
// with every answer filled in (standard output).
//
//	go mod init golden && go get k8s.io/apimachinery@v0.33.2 && go mod tidy
//	go run record.go < golden.json > recorded.json
package main

import (
	"encoding/json"
	"os"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// answer is either an error or a canonical text with one sign (+ or -) per set of the golden file.
type answer struct {
	Error   string `json:"error,omitempty"`
	Text    string `json:"text"`
	Matches string `json:"matches,omitempty"`
}

type golden struct {
	Source    string              `json:"source"`
	LabelSets []map[string]string `json:"labelSets"`
	FieldSets []map[string]string `json:"fieldSets"`
	Labels    []struct {
		Input  string `json:"input"`
		Answer answer `json:"answer"`
	} `json:"labels"`
	Objects []struct {
		Input  json.RawMessage `json:"input"`
		Answer answer          `json:"answer"`
	} `json:"objects"`
	Fields []struct {
		Input  string `json:"input"`
		Answer answer `json:"answer"`
	} `json:"fields"`
	Names []struct {
		Input  string   `json:"input"`
		Quoted string   `json:"quoted"`
		Rules  [5][]int `json:"rules"` // label key, label value, DNS-1123 label, DNS-1123 subdomain, DNS-1035 label
	} `json:"names"`
	Messages []string `json:"messages"`
}

var rules = [5]func(string) []string{
	validation.IsQualifiedName, validation.IsValidLabelValue,
	validation.IsDNS1123Label, validation.IsDNS1123Subdomain, validation.IsDNS1035Label,
}

func main() {
	var g golden
	must(json.NewDecoder(os.Stdin).Decode(&g))
	for i := range g.Labels {
		selector, err := labels.Parse(g.Labels[i].Input)
		g.Labels[i].Answer = ofLabels(selector, err, g.LabelSets)
	}
	for i := range g.Objects {
		var object *metav1.LabelSelector
		must(json.Unmarshal(g.Objects[i].Input, &object))
		selector, err := metav1.LabelSelectorAsSelector(object)
		g.Objects[i].Answer = ofLabels(selector, err, g.LabelSets)
		options := metavalidation.LabelSelectorValidationOptions{}
		errs := metavalidation.ValidateLabelSelector(object, options, field.NewPath("spec", "selector"))
		if len(errs) > 0 {
			g.Objects[i].Answer = answer{Error: errs.ToAggregate().Error()}
		}
	}
	for i := range g.Fields {
		selector, err := fields.ParseSelector(g.Fields[i].Input)
		if err != nil {
			g.Fields[i].Answer = answer{Error: err.Error()}
			continue
		}
		a := answer{Text: selector.String()}
		for _, set := range g.FieldSets {
			a.Matches += sign(selector.Matches(fields.Set(set)))
		}
		g.Fields[i].Answer = a
	}
	g.Messages = nil
	known := map[string]int{}
	for i := range g.Names {
		input := g.Names[i].Input
		g.Names[i].Quoted = strings.TrimPrefix(field.Invalid(field.NewPath("a"), input, "").Error(), "a: Invalid value: ")
		for r, rule := range rules {
			g.Names[i].Rules[r] = []int{}
			for _, message := range rule(input) {
				if _, ok := known[message]; !ok {
					known[message] = len(g.Messages)
					g.Messages = append(g.Messages, message)
				}
				g.Names[i].Rules[r] = append(g.Names[i].Rules[r], known[message])
			}
		}
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	must(out.Encode(g))
}

func ofLabels(selector labels.Selector, err error, sets []map[string]string) answer {
	if err != nil {
		return answer{Error: err.Error()}
	}
	a := answer{Text: selector.String()}
	for _, set := range sets {
		a.Matches += sign(selector.Matches(labels.Set(set)))
	}
	return a
}

func sign(matches bool) string {
	if matches {
		return "+"
	}
	return "-"
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
