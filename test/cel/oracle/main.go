// Command oracle prints what kube-apiserver's CEL says of expressions: type, estimate, value and runtime cost.
//
// It reads a line of JSON, {"schema", "self", "oldSelf"}, and then one expression a line as a JSON string. For each
// expression it prints one line of JSON.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type setting struct {
	Schema  json.RawMessage `json:"schema"`
	Self    json.RawMessage `json:"self"`
	OldSelf json.RawMessage `json:"oldSelf"`
}

// answer is what is known of an expression. Costs are texts, because JSON numbers lose digits.
type answer struct {
	Issues  string `json:"issues,omitempty"`
	Program string `json:"program,omitempty"`
	Type    string `json:"type,omitempty"`
	Min     string `json:"min,omitempty"`
	Max     string `json:"max,omitempty"`
	Value   string `json:"value,omitempty"`
	Error   string `json:"error,omitempty"`
	Cost    string `json:"cost,omitempty"`
	Panic   string `json:"panic,omitempty"`
}

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	first, err := input.ReadBytes('\n')
	must(err)
	var s setting
	must(json.Unmarshal(first, &s))
	o := newOracle(s)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	for {
		line, err := input.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var expression string
		must(json.Unmarshal(line, &expression))
		must(encoder.Encode(o.ask(expression)))
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type oracle struct {
	env       *cel.Env
	estimator *library.CostEstimator
	variables map[string]any
}

func newOracle(s setting) *oracle {
	var v1 apiextensionsv1.JSONSchemaProps
	must(json.Unmarshal(s.Schema, &v1))
	var internal apiextensions.JSONSchemaProps
	must(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil))
	structural, err := schema.NewStructural(&internal)
	must(err)
	declared := model.SchemaDeclType(structural, false).MaybeAssignTypeName("selfType")
	envs, err := environment.MustBaseEnvSet(version.MajorMinor(1, 33), true).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("self", declared.CelType()),
			cel.Variable("oldSelf", declared.CelType()),
		},
		DeclTypes: []*apiservercel.DeclType{declared},
	})
	must(err)
	value := func(raw json.RawMessage) any {
		var decoded any
		must(utiljson.Unmarshal(raw, &decoded))
		return common.UnstructuredToVal(decoded, &model.Structural{Structural: structural})
	}
	return &oracle{
		env:       envs.StoredExpressionsEnv(),
		estimator: &library.CostEstimator{SizeEstimator: &sizes{root: declared}},
		variables: map[string]any{"self": value(s.Self), "oldSelf": value(s.OldSelf)},
	}
}

func (o *oracle) ask(expression string) (result answer) {
	defer func() {
		if r := recover(); r != nil {
			result = answer{Panic: fmt.Sprint(r)}
		}
	}()
	ast, issues := o.env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		return answer{Issues: issues.String()}
	}
	result = answer{Type: ast.OutputType().String()}
	estimate, err := o.env.EstimateCost(ast, o.estimator)
	must(err)
	result.Min, result.Max = number(estimate.Min), number(estimate.Max)
	program, err := o.env.Program(ast, cel.CostLimit(1_000_000), cel.CostTracking(o.estimator))
	if err != nil {
		result.Program = err.Error()
		return result
	}
	value, details, err := program.Eval(o.variables)
	if details != nil && details.ActualCost() != nil {
		result.Cost = number(*details.ActualCost())
	}
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Value = show(value)
	return result
}

func number(n uint64) string {
	return strconv.FormatUint(n, 10)
}

// sizes knows the sizes of the schema's values, as kube-apiserver's estimator for rules of a definition.
type sizes struct {
	root *apiservercel.DeclType
}

func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	at := s.root
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			at = at.ElemType
		case "@keys":
			at = at.KeyType
		default:
			field, ok := at.Fields[name]
			if !ok {
				return nil
			}
			at = field.Type
		}
		if at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(at.MaxElements)}
}

func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
