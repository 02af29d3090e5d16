package main

import (
	"context"
	"encoding/json"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	definitions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// ruleQuestion is a definition, the stored one that it replaces, and objects of its first version.
type ruleQuestion struct {
	Definition apiextensionsv1.CustomResourceDefinition  `json:"definition"`
	Old        *apiextensionsv1.CustomResourceDefinition `json:"old"`
	Objects    []struct {
		Value json.RawMessage `json:"value"`
		Old   json.RawMessage `json:"old"`
	} `json:"objects"`
}

// ruleAnswer has the errors of the definition, and of each object if the definition's rules compile.
type ruleAnswer struct {
	Definition []string   `json:"definition"`
	Objects    [][]string `json:"objects"`
}

func answerToRules(line []byte) ruleAnswer {
	var asked ruleQuestion
	check(json.Unmarshal(line, &asked))
	definition := internalOf(&asked.Definition)
	var errors field.ErrorList
	if asked.Old == nil {
		errors = definitions.ValidateCustomResourceDefinition(context.Background(), definition)
	} else {
		errors = definitions.ValidateCustomResourceDefinitionUpdate(context.Background(), definition, internalOf(asked.Old))
	}
	told := ruleAnswer{Definition: texts(errors), Objects: [][]string{}}
	for _, one := range told.Definition {
		if !strings.Contains(one, "estimated") {
			return told
		}
	}
	validated, err := apiextensions.GetSchemaForVersion(definition, "v1")
	check(err)
	schema, err := structuralschema.NewStructural(validated.OpenAPIV3Schema)
	check(err)
	validator, _, err := validation.NewSchemaValidator(validated.OpenAPIV3Schema)
	check(err)
	rules := cel.NewValidator(schema, true, celconfig.PerCallLimit)
	for _, object := range asked.Objects {
		told.Objects = append(told.Objects, texts(judgeByRules(valueOf(object.Value), valueOf(object.Old), schema, validator, rules)))
	}
	return told
}

func internalOf(definition *apiextensionsv1.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	var internal apiextensions.CustomResourceDefinition
	check(apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(definition, &internal, nil))
	return &internal
}

func valueOf(raw json.RawMessage) map[string]interface{} {
	if raw == nil {
		return nil
	}
	var value map[string]interface{}
	check(utiljson.Unmarshal(raw, &value))
	return value
}

// judgeByRules does what customResourceStrategy does in Validate and ValidateUpdate.
func judgeByRules(value, old map[string]interface{}, schema *structuralschema.Structural, validator validation.SchemaValidator, rules *cel.Validator) field.ErrorList {
	if old == nil {
		errors := validation.ValidateCustomResource(nil, value, validator)
		errors = append(errors, listtype.ValidateListSetsAndMaps(nil, schema, value)...)
		return append(errors, byRules(errors, value, nil, schema, rules)...)
	}
	correlation := common.NewCorrelatedObject(value, old, &model.Structural{Structural: schema})
	errors := validation.ValidateCustomResourceUpdate(nil, value, old, validator, validation.WithRatcheting(correlation))
	if len(listtype.ValidateListSetsAndMaps(nil, schema, old)) == 0 {
		errors = append(errors, listtype.ValidateListSetsAndMaps(nil, schema, value)...)
	}
	return append(errors, byRules(errors, value, old, schema, rules, cel.WithRatcheting(correlation))...)
}

func byRules(before field.ErrorList, value, old map[string]interface{}, schema *structuralschema.Structural, rules *cel.Validator, options ...cel.Option) field.ErrorList {
	if rules == nil {
		return nil
	}
	for _, one := range before {
		switch one.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return field.ErrorList{field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation")}
		}
	}
	var former interface{}
	if old != nil {
		former = old
	}
	errors, _ := rules.Validate(context.Background(), nil, schema, value, former, celconfig.RuntimeCELCostBudget, options...)
	return errors
}
