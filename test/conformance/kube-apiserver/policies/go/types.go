package main

import (
	"encoding/json"
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// The published schemas of custom kinds.
type published map[schema.GroupVersionKind]*spec.Schema

// typeWarnings checks policies as kube-controller-manager does for their status.
func (s scene) typeWarnings() [][]admissionv1.ExpressionWarning {
	schemas := published{}
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, text := range s.Definitions {
		definition := &apiextensionsv1.CustomResourceDefinition{}
		check(json.Unmarshal(text, definition))
		apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&definition.Spec)
		for _, version := range definition.Spec.Versions {
			gvk := schema.GroupVersionKind{
				Group:   definition.Spec.Group,
				Version: version.Name,
				Kind:    definition.Spec.Names.Kind,
			}
			schemas[gvk] = publishedSchema(definition, gvk)
			mapper.AddSpecific(gvk, resourceOf(definition, gvk), resourceOf(definition, gvk), meta.RESTScopeNamespace)
		}
	}
	checker := &validating.TypeChecker{SchemaResolver: schemas, RestMapper: mapper}
	said := [][]admissionv1.ExpressionWarning{}
	for _, text := range s.TypeChecked {
		policy := &admissionv1.ValidatingAdmissionPolicy{}
		check(json.Unmarshal(text, policy))
		said = append(said, append([]admissionv1.ExpressionWarning{}, checker.Check(policy)...))
	}
	return said
}

func resourceOf(of *apiextensionsv1.CustomResourceDefinition, gvk schema.GroupVersionKind) schema.GroupVersionResource {
	return gvk.GroupVersion().WithResource(of.Spec.Names.Plural)
}

func (p published) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	if found, ok := p[gvk]; ok {
		return found, nil
	}
	return nil, fmt.Errorf("cannot resolve %v: %w", gvk, resolver.ErrSchemaNotFound)
}

// publishedSchema returns the schema that kube-apiserver publishes for a kind, without references.
func publishedSchema(of *apiextensionsv1.CustomResourceDefinition, gvk schema.GroupVersionKind) *spec.Schema {
	const group = "x-kubernetes-group-version-kind"
	const prefix = "#/components/schemas/"
	document, err := builder.BuildOpenAPIV3(of, gvk.Version, builder.Options{})
	check(err)
	schemas := document.Components.Schemas
	for name, each := range schemas {
		// As a client reads it.
		text, err := json.Marshal(each)
		check(err)
		read := &spec.Schema{}
		check(json.Unmarshal(text, read))
		schemas[name] = read
	}
	find := func(ref string) (*spec.Schema, bool) {
		found, ok := schemas[strings.TrimPrefix(ref, prefix)]
		return found, ok
	}
	for name, each := range schemas {
		var kinds []schema.GroupVersionKind
		check(each.Extensions.GetObject(group, &kinds))
		if len(kinds) == 1 && kinds[0] == gvk {
			found, err := resolver.PopulateRefs(find, prefix+name)
			check(err)
			return found
		}
	}
	panic(fmt.Sprintf("%s has no schema of %v", apiextensions.GroupName, gvk))
}
