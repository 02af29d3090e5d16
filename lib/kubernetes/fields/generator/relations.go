package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	extensions "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"
)

// How the elements of a list or map lie to each other for apply.
type relation struct {
	relation string
	keys     []string
	// Its elements have one owner each, as a whole.
	whole bool
}

type schemaType struct {
	Scalar string `json:"scalar"`
	List   *struct {
		ElementRelationship string      `json:"elementRelationship"`
		Keys                []string    `json:"keys"`
		ElementType         *schemaType `json:"elementType"`
	} `json:"list"`
	Map *struct {
		Fields []struct {
			Name string     `json:"name"`
			Type schemaType `json:"type"`
		} `json:"fields"`
		ElementRelationship string `json:"elementRelationship"`
	} `json:"map"`
	NamedType           string `json:"namedType"`
	ElementRelationship string `json:"elementRelationship"`
}

type schemaDocument struct {
	Types []struct {
		Name string `json:"name"`
		schemaType
	} `json:"types"`
}

// By the OpenAPI name of the type and the field's JSON name. Only what is said; a list of which nothing is said
// is atomic, a map or struct is not.
func readRelations() map[string]map[string]relation {
	relations := map[string]map[string]relation{}
	for _, one := range [][2]string{
		{"k8s.io/client-go", "applyconfigurations/internal/internal.go"},
		{"k8s.io/apiextensions-apiserver", "pkg/client/applyconfiguration/internal/internal.go"},
	} {
		folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", one[0]).Output()
		must(err)
		source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), one[1]))
		if os.IsNotExist(err) {
			continue
		}
		must(err)
		addRelations(relations, source)
	}
	addExtensions(relations)
	return relations
}

// Of the kinds that the apply configurations say nothing of: definitions of custom kinds.
func addExtensions(relations map[string]map[string]relation) {
	reference := func(path string) spec.Ref { return spec.MustCreateRef(path) }
	for path, definition := range extensions.GetOpenAPIDefinitions(reference) {
		host, name, _ := strings.Cut(path, "/")
		if !strings.HasPrefix(name, "apiextensions-apiserver/") {
			continue
		}
		fields := map[string]relation{}
		for field, schema := range definition.Schema.Properties {
			kind, _ := schema.Extensions.GetString("x-kubernetes-list-type")
			keys, _ := schema.Extensions.GetStringSlice("x-kubernetes-list-map-keys")
			if kind == "map" || kind == "set" {
				fields[field] = relation{relation: kind, keys: keys}
			}
		}
		relations[reversed(host)+"."+strings.ReplaceAll(name, "/", ".")] = fields
	}
}

func addRelations(relations map[string]map[string]relation, source []byte) {
	parts := strings.SplitN(string(source), "`", 3)
	var document schemaDocument
	must(yaml.Unmarshal([]byte(parts[1]), &document))
	atomic := map[string]bool{}
	for _, one := range document.Types {
		if one.Map != nil && one.Map.ElementRelationship == "atomic" {
			atomic[one.Name] = true
		}
	}
	for _, one := range document.Types {
		if one.Map == nil {
			continue
		}
		fields := map[string]relation{}
		for _, f := range one.Map.Fields {
			if known, said := relationOf(f.Type, atomic); said {
				fields[f.Name] = known
			}
		}
		relations[one.Name] = fields
	}
}

func relationOf(t schemaType, atomic map[string]bool) (relation, bool) {
	switch {
	case t.List != nil && t.List.ElementRelationship == "associative" && len(t.List.Keys) == 0:
		return relation{relation: "set"}, true
	case t.List != nil && t.List.ElementRelationship == "associative":
		return relation{"map", t.List.Keys, atomic[t.List.ElementType.NamedType]}, true
	case t.Map != nil && t.Map.ElementRelationship == "atomic", t.ElementRelationship == "atomic":
		return relation{relation: "atomic"}, true
	case t.NamedType != "" && t.ElementRelationship == "" && atomic[t.NamedType]:
		return relation{relation: "atomic"}, true
	default:
		return relation{}, false
	}
}

// io.k8s.api.apps.v1.Deployment
func openapiName(goType reflect.Type) string {
	host, path, _ := strings.Cut(goType.PkgPath(), "/")
	return reversed(host) + "." + strings.ReplaceAll(path, "/", ".") + "." + goType.Name()
}

// io.k8s of k8s.io
func reversed(host string) string {
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}
