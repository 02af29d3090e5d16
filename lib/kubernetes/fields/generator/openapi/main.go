// Prints the components of Kubernetes' OpenAPI v3 documents, as JSON with one component a line. The documents stand in the
// module k8s.io/kubernetes (Apache License 2.0), which this program downloads without building it. It can add kinds of a
// later version, with the components that they need; those of the first version stay as they are.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 && len(os.Args) < 4 {
		log.Fatal("go run ./openapi 1.33.2 [1.36.0 KIND...]")
	}
	components := componentsOf(os.Args[1])
	if len(os.Args) > 2 {
		later := componentsOf(os.Args[2])
		for _, kind := range os.Args[3:] {
			addKind(kind, later, components)
		}
	}
	print(components)
}

func componentsOf(version string) map[string]json.RawMessage {
	components := map[string]json.RawMessage{}
	for _, file := range documents(version) {
		read(file, components)
	}
	return components
}

// addKind adds the component of a kind, that of its list, and all that they refer to.
func addKind(kind string, from, into map[string]json.RawMessage) {
	for name := range from {
		if strings.HasSuffix(name, ".v1."+kind) || strings.HasSuffix(name, ".v1."+kind+"List") {
			add(name, from, into)
		}
	}
}

var reference = regexp.MustCompile(`"#/components/schemas/([^"]+)"`)

func add(name string, from, into map[string]json.RawMessage) {
	if _, known := into[name]; known {
		return
	}
	into[name] = from[name]
	for _, found := range reference.FindAllSubmatch(from[name], -1) {
		add(string(found[1]), from, into)
	}
}

// The documents of the group versions that Winnow serves: all of v1, and autoscaling/v2.
func documents(version string) []string {
	out, err := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@v"+version).Output()
	check(err)
	var module struct{ Dir string }
	check(json.Unmarshal(out, &module))
	all, err := filepath.Glob(filepath.Join(module.Dir, "api/openapi-spec/v3/*_openapi.json"))
	check(err)
	var served []string
	for _, file := range all {
		if strings.HasSuffix(file, "__v1_openapi.json") || strings.HasSuffix(file, "apis__autoscaling__v2_openapi.json") {
			served = append(served, file)
		}
	}
	return served
}

func read(file string, into map[string]json.RawMessage) {
	content, err := os.ReadFile(file)
	check(err)
	var document struct {
		Components struct{ Schemas map[string]json.RawMessage }
	}
	check(json.Unmarshal(content, &document))
	for name, schema := range document.Components.Schemas {
		into[name] = schema
	}
}

func print(components map[string]json.RawMessage) {
	names := make([]string, 0, len(components))
	for name := range components {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Println("{")
	for at, name := range names {
		var schema any
		check(json.Unmarshal(components[name], &schema))
		line, err := json.Marshal(schema)
		check(err)
		comma := ","
		if at == len(names)-1 {
			comma = ""
		}
		fmt.Printf("%q: %s%s\n", name, line, comma)
	}
	fmt.Println("}")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
