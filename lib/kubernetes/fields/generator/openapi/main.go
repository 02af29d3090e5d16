// Prints the components of Kubernetes' OpenAPI v3 documents, as JSON with one component a line. The documents stand in the
// module k8s.io/kubernetes (Apache License 2.0), which this program downloads without building it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("go run ./openapi 1.33.2")
	}
	components := map[string]json.RawMessage{}
	for _, file := range documents(os.Args[1]) {
		read(file, components)
	}
	print(components)
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
