package main

import (
	"context"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// celType is a type in the form of lib/cel/types.ts.
type celType struct {
	Kind       string    `json:"kind"`
	Name       string    `json:"name"`
	Parameters []celType `json:"parameters"`
}

// answer is a case with the costs that Kubernetes' CEL gives it.
type answer struct {
	Name       string             `json:"name"`
	Expression string             `json:"expression"`
	Types      map[string]celType `json:"types,omitempty"`
	Sizes      map[string]uint64  `json:"sizes,omitempty"`
	Bindings   map[string]string  `json:"bindings,omitempty"`
	// Costs are texts, because JSON numbers lose digits.
	Min  uint64  `json:"min,string"`
	Max  uint64  `json:"max,string"`
	Cost *uint64 `json:"cost,string,omitempty"`
}

func (a answer) agrees(asked recorded) bool {
	return (asked.Min == nil || *asked.Min == a.Min) && (asked.Max == nil || *asked.Max == a.Max) &&
		(asked.Cost == nil || a.Cost != nil && *asked.Cost == *a.Cost)
}

// ask returns the costs of a case. A message is a dynamic value. It leaves out cases with a message as a value or a
// literal, and those that do not compile in Kubernetes.
func ask(asked recorded) (result answer, ok bool) {
	result = answer{Expression: asked.Expression, Sizes: asked.Sizes, Bindings: asked.Bindings}
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 33), true).StoredExpressionsEnv()
	options := []cel.EnvOption{cel.Variable("authorizer", library.AuthorizerType)}
	for name, declared := range asked.Types {
		t, shown, ok := typeOf(declared)
		if !ok {
			return result, false
		}
		if result.Types == nil {
			result.Types = map[string]celType{}
		}
		result.Types[name] = shown
		options = append(options, cel.Variable(name, t))
	}
	env, err := base.Extend(options...)
	must(err)
	compiled, issues := env.Compile(asked.Expression)
	if issues != nil && issues.Err() != nil {
		return result, false
	}
	estimator := &library.CostEstimator{SizeEstimator: sizes(asked.Sizes)}
	estimate, err := env.EstimateCost(compiled, estimator)
	must(err)
	result.Min, result.Max = estimate.Min, estimate.Max
	if asked.Cost == nil {
		return result, true
	}
	variables := map[string]any{"authorizer": library.NewAuthorizerVal(nil, allowing{})}
	for name, text := range asked.Bindings {
		value, ok := valueOf(base, text)
		if !ok {
			return result, false
		}
		variables[name] = value
	}
	program, err := env.Program(compiled, cel.CostTracking(estimator))
	must(err)
	_, details, _ := program.Eval(variables)
	result.Cost = details.ActualCost()
	return result, result.Cost != nil
}

func valueOf(env *cel.Env, text string) (any, bool) {
	compiled, issues := env.Compile(text)
	if issues != nil && issues.Err() != nil {
		return nil, false
	}
	program, err := env.Program(compiled)
	must(err)
	value, _, err := program.Eval(map[string]any{})
	return value, err == nil
}

var kinds = map[types.Kind]string{
	types.DynKind: "dyn", types.NullTypeKind: "null", types.BoolKind: "bool", types.IntKind: "int", types.UintKind: "uint",
	types.DoubleKind: "double", types.StringKind: "string", types.BytesKind: "bytes", types.TimestampKind: "timestamp",
	types.DurationKind: "duration", types.ListKind: "list", types.MapKind: "map",
}

var simple = map[types.Kind]*cel.Type{
	types.DynKind: cel.DynType, types.NullTypeKind: cel.NullType, types.BoolKind: cel.BoolType, types.IntKind: cel.IntType,
	types.UintKind: cel.UintType, types.DoubleKind: cel.DoubleType, types.StringKind: cel.StringType,
	types.BytesKind: cel.BytesType, types.TimestampKind: cel.TimestampType, types.DurationKind: cel.DurationType,
}

func typeOf(recorded recordedType) (*cel.Type, celType, bool) {
	kind := types.Kind(recorded.Kind)
	shown := celType{Kind: kinds[kind], Name: recorded.Name, Parameters: []celType{}}
	parameters := []*cel.Type{}
	for _, each := range recorded.Parameters {
		parameter, text, ok := typeOf(each)
		if !ok {
			return nil, shown, false
		}
		parameters = append(parameters, parameter)
		shown.Parameters = append(shown.Parameters, text)
	}
	switch kind {
	case types.StructKind:
		// No table reads what only a message has.
		return cel.DynType, celType{Kind: "dyn", Name: "dyn", Parameters: []celType{}}, true
	case types.ListKind:
		return cel.ListType(parameters[0]), shown, true
	case types.MapKind:
		return cel.MapType(parameters[0], parameters[1]), shown, true
	}
	t, ok := simple[kind]
	return t, shown, ok
}

// sizes knows the largest sizes of values by their paths.
type sizes map[string]uint64

func (s sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if most, ok := s[strings.Join(element.Path(), ".")]; ok {
		return &checker.SizeEstimate{Min: 0, Max: most}
	}
	return nil
}

func (s sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

type allowing struct{}

func (allowing) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}
