// Reads OpenAPI documents with the packages of Kubernetes' clients. Each line of the input is a set of documents.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	pb "google.golang.org/protobuf/proto"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/util/proto"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type question struct {
	// The document of version 2, and the same in JSON.
	Protobuf []byte
	JSON     string
	// The documents of version 3 by their paths.
	Documents map[string]string
}

type answer struct {
	Models int `json:"models"`
	// Definitions that kube-apiserver has and that are not the same.
	Differing []string `json:"differing"`
	Same      int      `json:"same"`
	// Documents that are not the same after they were read and written.
	Unstable []string `json:"unstable"`
}

func main() {
	log.SetFlags(0)
	theirs := definitionsOf(os.Args[1])
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	decoder := json.NewDecoder(input)
	for decoder.More() {
		var asked question
		check(decoder.Decode(&asked))
		out, err := json.Marshal(answerTo(asked, theirs))
		check(err)
		os.Stdout.Write(append(out, '\n'))
	}
}

func answerTo(asked question, theirs map[string]any) answer {
	found := answer{Differing: []string{}, Unstable: []string{}}
	var document openapi_v2.Document
	check(pb.Unmarshal(asked.Protobuf, &document))
	models, err := proto.NewOpenAPIData(&document)
	check(err)
	found.Models = len(models.ListModels())

	var swagger spec.Swagger
	check(json.Unmarshal([]byte(asked.JSON), &swagger))
	var plain struct{ Definitions map[string]any }
	check(json.Unmarshal([]byte(asked.JSON), &plain))
	for name, own := range plain.Definitions {
		if their, known := theirs[name]; !known {
			continue
		} else if reflect.DeepEqual(own, their) {
			found.Same++
		} else {
			found.Differing = append(found.Differing, name)
		}
	}
	for path, text := range asked.Documents {
		var first, second spec3.OpenAPI
		check(json.Unmarshal([]byte(text), &first))
		again, err := json.Marshal(&first)
		check(err)
		check(json.Unmarshal(again, &second))
		if !reflect.DeepEqual(first, second) {
			found.Unstable = append(found.Unstable, path)
		}
	}
	return found
}

// The definitions of kube-apiserver's own document, from the module k8s.io/kubernetes.
func definitionsOf(version string) map[string]any {
	out, err := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@v"+version).Output()
	check(err)
	var module struct{ Dir string }
	check(json.Unmarshal(out, &module))
	content, err := os.ReadFile(filepath.Join(module.Dir, "api/openapi-spec/swagger.json"))
	check(err)
	var swagger struct{ Definitions map[string]any }
	check(json.Unmarshal(content, &swagger))
	return swagger.Definitions
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
