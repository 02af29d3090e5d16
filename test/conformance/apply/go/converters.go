package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v4/typed"
)

// The types that stories are of, by the schema that has them.
type converters struct {
	builtin *typed.Parser
	custom  *typed.Parser
}

func newConverters(customSchema string) converters {
	custom, err := typed.NewParser(typed.YAMLObject(customSchema))
	check(err)
	return converters{builtin: builtinParser(), custom: custom}
}

// The parser of client-go's typed apply configurations, without compiling those.
func builtinParser() *typed.Parser {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/client-go")
	list.Dir = os.Args[2]
	folder, err := list.Output()
	check(err)
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "applyconfigurations/internal/internal.go"))
	check(err)
	parser, err := typed.NewParser(typed.YAMLObject(strings.SplitN(string(source), "`", 3)[1]))
	check(err)
	return parser
}

func (c converters) of(name string) managedfields.TypeConverter {
	switch {
	case name == "":
		return managedfields.NewDeducedTypeConverter()
	case strings.HasPrefix(name, "io.k8s."):
		return converter{c.builtin.Type(name)}
	default:
		return converter{c.custom.Type(name)}
	}
}

type converter struct{ typed.ParseableType }

func (c converter) ObjectToTyped(object runtime.Object, options ...typed.ValidationOptions) (*typed.TypedValue, error) {
	return c.FromUnstructured(object.(*unstructured.Unstructured).UnstructuredContent(), options...)
}

func (c converter) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	object, is := value.AsValue().Unstructured().(map[string]any)
	if !is {
		return nil, fmt.Errorf("%T is no object", value.AsValue().Unstructured())
	}
	return &unstructured.Unstructured{Object: object}, nil
}

// Every object is in the one version that there is.
type sameVersion struct{ runtime.ObjectConvertor }

func (sameVersion) ConvertToVersion(object runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return object, nil
}

type noDefaults struct{}

func (noDefaults) Default(runtime.Object) {}

type emptyObjects struct{}

func (emptyObjects) New(gvk schema.GroupVersionKind) (runtime.Object, error) { return empty(gvk), nil }

func empty(gvk schema.GroupVersionKind) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	object.SetGroupVersionKind(gvk)
	return object
}
