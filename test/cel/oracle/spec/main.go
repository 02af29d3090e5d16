// Command spec prints cel-spec's simple tests as one line of JSON for each test, with the answers of Kubernetes' CEL.
// The argument is the folder tests/simple/testdata of cel-spec (module cel.dev/expr v0.25.1, Apache License 2.0).
// It leaves out tests that need protobuf messages, namespaces, or libraries that Kubernetes lacks. On the standard error
// it names the tests that Kubernetes fails.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	testpb "cel.dev/expr/conformance/test"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"google.golang.org/protobuf/encoding/prototext"

	exprpb "cel.dev/expr"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// celType is a type in the form of lib/cel/types.ts.
type celType struct {
	Kind       string    `json:"kind"`
	Name       string    `json:"name"`
	Parameters []celType `json:"parameters"`
}

type testCase struct {
	Name       string             `json:"name"`
	Expression string             `json:"expression"`
	Types      map[string]celType `json:"types,omitempty"`
	// Bindings are literals of CEL.
	Bindings map[string]string `json:"bindings,omitempty"`
	Value    string            `json:"value,omitempty"`
	Type     string            `json:"type,omitempty"`
	Fails    bool              `json:"fails,omitempty"`
	// Tree is the checked tree.
	Tree string `json:"tree,omitempty"`
}

var left = regexp.MustCompile(`TestAllTypes|google\.protobuf\.(Any|Struct|Value|ListValue|[A-Za-z0-9]*Value)|proto\.|GlobalEnum|NestedEnum|` +
	`cel\.(bind|block|index|iterVar|accuVar)|math\.|base64\.|\.reverse\(|cel\.@block|StandaloneEnum|NullValue`)

var files = []string{
	"basic", "bindings_ext", "comparisons", "conversions", "dynamic", "enums", "fields", "fp_math", "integer_math", "lists", "logic", "macros", "macros2", "namespace", "optionals",
	"parse", "plumbing", "string", "string_ext", "timestamps", "type_deduction", "unknowns", "wrappers",
}

func main() {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	seen, kept, failed := 0, 0, 0
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(os.Args[1], name+".textproto"))
		must(err)
		var file testpb.SimpleTestFile
		must(prototext.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(text, &file))
		for _, section := range file.Section {
			for _, test := range section.Test {
				seen++
				converted, ok := convert(name+"/"+section.Name+"/"+test.Name, test)
				if !ok {
					continue
				}
				answered := ask(converted)
				if answered.Panics {
					continue
				}
				kept++
				if converted.Value != answered.Value || converted.Fails != answered.Fails {
					failed++
					fmt.Fprintf(os.Stderr, "Kubernetes fails %s: %s\n", converted.Name, converted.Expression)
				}
				must(encoder.Encode(answered.testCase))
			}
		}
	}
	fmt.Fprintf(os.Stderr, "%d of %d tests, of which Kubernetes fails %d\n", kept, seen, failed)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func convert(name string, test *testpb.SimpleTest) (result testCase, ok bool) {
	if left.MatchString(test.Expr) || test.Container != "" || test.DisableMacros {
		return result, false
	}
	result = testCase{Name: name, Expression: test.Expr}
	for _, declared := range test.TypeEnv {
		ident := declared.GetIdent()
		if ident == nil {
			return result, false
		}
		t, err := types.ProtoAsType(ident.Type)
		if err != nil || t.Kind() == types.StructKind {
			return result, false
		}
		converted, ok := typeOf(t)
		if !ok {
			return result, false
		}
		if result.Types == nil {
			result.Types = map[string]celType{}
		}
		result.Types[declared.Name] = converted
	}
	for variable, bound := range test.Bindings {
		value, ok := valueOf(bound.GetValue())
		if !ok {
			return result, false
		}
		text, ok := literal(value)
		if !ok {
			return result, false
		}
		if result.Bindings == nil {
			result.Bindings = map[string]string{}
		}
		result.Bindings[variable] = text
	}
	switch matcher := test.ResultMatcher.(type) {
	case *testpb.SimpleTest_EvalError, *testpb.SimpleTest_AnyEvalErrors:
		result.Fails = true
	case *testpb.SimpleTest_Value:
		value, ok := valueOf(matcher.Value)
		if !ok {
			return result, false
		}
		result.Value, ok = show(value)
		return result, ok
	case *testpb.SimpleTest_TypedResult:
		t, err := types.ProtoAsType(matcher.TypedResult.DeducedType)
		if err != nil {
			return result, false
		}
		result.Type = t.String()
		if matcher.TypedResult.Result == nil {
			return result, true
		}
		value, ok := valueOf(matcher.TypedResult.Result)
		if !ok {
			return result, false
		}
		result.Value, ok = show(value)
		return result, ok
	case nil:
		result.Value = "true"
	default:
		return result, false
	}
	return result, true
}

type answered struct {
	testCase
	Panics bool
}

// ask returns the test with Kubernetes' answer.
func ask(test testCase) (result answered) {
	defer func() {
		if recover() != nil {
			result.Panics = true
		}
	}()
	test.Value, test.Type, test.Fails = "", "", true
	env := environment.MustBaseEnvSet(version.MajorMinor(1, 33), true).StoredExpressionsEnv()
	options := []cel.EnvOption{}
	for name, t := range test.Types {
		options = append(options, cel.Variable(name, backOf(t)))
	}
	for name := range test.Bindings {
		if _, ok := test.Types[name]; !ok {
			options = append(options, cel.Variable(name, cel.DynType))
		}
	}
	env, err := env.Extend(options...)
	must(err)
	variables := map[string]any{}
	for name, text := range test.Bindings {
		value, _, ok := evaluate(env, text, map[string]any{})
		if !ok {
			panic("a binding has no value")
		}
		variables[name] = value
	}
	if checked, issues := env.Compile(test.Expression); issues == nil || issues.Err() == nil {
		test.Tree = tree{checked.NativeRep()}.node(checked.NativeRep().Expr())
	}
	value, declared, ok := evaluate(env, test.Expression, variables)
	if ok {
		shown, ok := show(value)
		if !ok {
			panic("a value that cannot be shown")
		}
		test.Value, test.Type, test.Fails = shown, declared, false
	}
	return answered{testCase: test}
}

func evaluate(env *cel.Env, text string, variables map[string]any) (ref.Val, string, bool) {
	checked, issues := env.Compile(text)
	if issues != nil && issues.Err() != nil {
		return nil, "", false
	}
	program, err := env.Program(checked)
	if err != nil {
		return nil, "", false
	}
	value, _, err := program.Eval(variables)
	return value, checked.OutputType().String(), err == nil
}

func backOf(t celType) *cel.Type {
	parameters := []*cel.Type{}
	for _, parameter := range t.Parameters {
		parameters = append(parameters, backOf(parameter))
	}
	switch t.Kind {
	case "list":
		return cel.ListType(parameters[0])
	case "map":
		return cel.MapType(parameters[0], parameters[1])
	case "opaque":
		return cel.OpaqueType(t.Name, parameters...)
	case "type":
		return cel.TypeType
	}
	simple := map[string]*cel.Type{
		"dyn": cel.DynType, "null": cel.NullType, "bool": cel.BoolType, "int": cel.IntType, "uint": cel.UintType,
		"double": cel.DoubleType, "string": cel.StringType, "bytes": cel.BytesType, "timestamp": cel.TimestampType,
		"duration": cel.DurationType,
	}
	return simple[t.Kind]
}

func valueOf(value *exprpb.Value) (ref.Val, bool) {
	if value == nil {
		return nil, false
	}
	converted, err := cel.ProtoAsValue(types.DefaultTypeAdapter, value)
	return converted, err == nil
}

var kinds = map[types.Kind]string{
	types.DynKind: "dyn", types.NullTypeKind: "null", types.BoolKind: "bool", types.IntKind: "int", types.UintKind: "uint",
	types.DoubleKind: "double", types.StringKind: "string", types.BytesKind: "bytes", types.TimestampKind: "timestamp",
	types.DurationKind: "duration", types.ListKind: "list", types.MapKind: "map", types.TypeKind: "type",
	types.OpaqueKind: "opaque", types.TypeParamKind: "param",
}

func typeOf(t *types.Type) (celType, bool) {
	kind, ok := kinds[t.Kind()]
	if !ok || t.IsAssignableType(types.NullType) && t.Kind() != types.NullTypeKind && t.Kind() != types.DynKind {
		return celType{}, false
	}
	result := celType{Kind: kind, Name: t.TypeName(), Parameters: []celType{}}
	for _, parameter := range t.Parameters() {
		converted, ok := typeOf(parameter)
		if !ok {
			return celType{}, false
		}
		result.Parameters = append(result.Parameters, converted)
	}
	return result, true
}

// literal writes a value as an expression.
func literal(value ref.Val) (string, bool) {
	switch v := value.(type) {
	case types.Null:
		return "null", true
	case types.Bool:
		return strconv.FormatBool(bool(v)), true
	case types.Int:
		return strconv.FormatInt(int64(v), 10), true
	case types.Uint:
		return strconv.FormatUint(uint64(v), 10) + "u", true
	case types.Double:
		return fmt.Sprintf("double('%g')", float64(v)), true
	case types.String:
		quoted, err := json.Marshal(string(v))
		must(err)
		return string(quoted), true
	}
	return collection(value, literal)
}

// show writes a value as the oracle does.
func show(value ref.Val) (string, bool) {
	switch v := value.(type) {
	case types.Double:
		return "double(" + strconv.FormatFloat(float64(v), 'g', -1, 64) + ")", true
	case types.Bytes:
		return "bytes(" + hex.EncodeToString(v) + ")", true
	case *types.Type:
		return "type(" + v.TypeName() + ")", true
	case types.Null, types.Bool, types.Int, types.Uint:
		return literal(value)
	case types.String:
		return literal(value)
	}
	return collection(value, show)
}

// collection writes a list or a map with a function for its parts.
func collection(value ref.Val, write func(ref.Val) (string, bool)) (string, bool) {
	parts := []string{}
	switch v := value.(type) {
	case traits.Lister:
		for it := v.Iterator(); it.HasNext() == types.True; {
			part, ok := write(it.Next())
			if !ok {
				return "", false
			}
			parts = append(parts, part)
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case traits.Mapper:
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			left, ok := write(key)
			right, ok2 := write(v.Get(key))
			if !ok || !ok2 {
				return "", false
			}
			parts = append(parts, left+": "+right)
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ", ") + "}", true
	}
	return "", false
}
