// Reads a schema and objects a line, and writes what Kubernetes makes of them. With the argument "rules", it reads
// definitions with rules and objects.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type question struct {
	Schema apiextensionsv1.JSONSchemaProps `json:"schema"`
	Values []json.RawMessage               `json:"values"`
}

type judged struct {
	Value   map[string]interface{} `json:"value"`
	Unknown []string               `json:"unknown"`
	Errors  []string               `json:"errors"`
}

type answer struct {
	Structural []string `json:"structural"`
	Judged     []judged `json:"judged"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		if len(os.Args) > 1 && os.Args[1] == "rules" {
			check(out.Encode(answerToRules(lines.Bytes())))
			continue
		}
		var asked question
		check(json.Unmarshal(lines.Bytes(), &asked))
		check(out.Encode(answerTo(asked)))
	}
	check(lines.Err())
}

func answerTo(asked question) answer {
	var internal apiextensions.JSONSchemaProps
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&asked.Schema, &internal, nil))
	structural, err := structuralschema.NewStructural(&internal)
	check(err)
	told := answer{
		Structural: texts(structuralschema.ValidateStructural(field.NewPath("schema"), structural)),
		Judged:     []judged{},
	}
	if len(told.Structural) > 0 {
		return told
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	check(err)
	for _, raw := range asked.Values {
		told.Judged = append(told.Judged, judge(raw, structural, validator))
	}
	return told
}

func judge(raw json.RawMessage, schema *structuralschema.Structural, validator validation.SchemaValidator) judged {
	var value map[string]interface{}
	check(utiljson.Unmarshal(raw, &value))
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown := pruning.PruneWithOptions(value, schema, true, options)
	defaulting.PruneNonNullableNullsWithoutDefaults(value, schema)
	defaulting.Default(value, schema)
	errors := validation.ValidateCustomResource(nil, value, validator)
	errors = append(errors, listtype.ValidateListSetsAndMaps(nil, schema, value)...)
	return judged{Value: value, Unknown: append([]string{}, unknown...), Errors: texts(errors)}
}

func texts(errors field.ErrorList) []string {
	list := []string{}
	for _, one := range errors {
		list = append(list, one.Error())
	}
	return list
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
