// Kubernetes' own answers for the differential test of apply: reads stories, and writes what the field manager of
// k8s.io/apimachinery makes of each step, a line of JSON a story. See ../stories.ts for the stories and
// ../our-answer.ts for the same answers of ours.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
)

type story struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// The type in the schema: of the built-in ones, of the custom one, or "" where it is deduced.
	Type  string `json:"type"`
	Steps []step `json:"steps"`
}

type step struct {
	Operation   string                     `json:"operation"`
	Manager     string                     `json:"manager"`
	Force       bool                       `json:"force"`
	Subresource string                     `json:"subresource"`
	Object      *unstructured.Unstructured `json:"object"`
}

// What a step did: an error, or the object and who owns what.
type answer struct {
	Error  string         `json:"error"`
	Causes []string       `json:"causes"`
	Object map[string]any `json:"object"`
	Owners []owner        `json:"owners"`
}

type owner struct {
	Manager     string `json:"manager"`
	Operation   string `json:"operation"`
	APIVersion  string `json:"apiVersion"`
	Subresource string `json:"subresource"`
	Timed       bool   `json:"timed"`
	Fields      string `json:"fields"`
}

func main() {
	converters := newConverters(os.Args[1])
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	written := bufio.NewWriter(os.Stdout)
	defer written.Flush()
	answers := json.NewEncoder(written)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		var told story
		check(json.Unmarshal(lines.Bytes(), &told))
		check(answers.Encode(tell(told, converters.of(told.Type))))
	}
	check(lines.Err())
}

func tell(told story, converter managedfields.TypeConverter) []answer {
	gvk := schema.FromAPIVersionAndKind(told.APIVersion, told.Kind)
	live := empty(gvk)
	answers := []answer{}
	for _, one := range told.Steps {
		next, err := carryOut(newManager(converter, gvk, one.Subresource), live, one)
		if err != nil {
			answers = append(answers, refusal(err))
			continue
		}
		next.SetUID("u")
		live = next
		answers = append(answers, describe(live))
	}
	return answers
}

func carryOut(manager *managedfields.FieldManager, live *unstructured.Unstructured, one step) (*unstructured.Unstructured, error) {
	if one.Operation == "update" {
		next, err := manager.Update(live.DeepCopy(), one.Object.DeepCopy(), one.Manager)
		if err != nil {
			return nil, err
		}
		return next.(*unstructured.Unstructured), nil
	}
	next, err := manager.Apply(live.DeepCopy(), one.Object.DeepCopy(), one.Manager, one.Force)
	if err != nil {
		return nil, err
	}
	return next.(*unstructured.Unstructured), nil
}

func newManager(converter managedfields.TypeConverter, gvk schema.GroupVersionKind, subresource string) *managedfields.FieldManager {
	reset := "status"
	if subresource == "status" {
		reset = "spec"
	}
	version := fieldpath.APIVersion(gvk.GroupVersion().String())
	filters := fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
		version: fieldpath.NewSet(fieldpath.MakePathOrDie(reset)),
	})
	manager, err := managedfields.NewDefaultFieldManager(
		converter, sameVersion{}, noDefaults{}, emptyObjects{}, gvk, gvk.GroupVersion(), subresource, filters)
	check(err)
	return manager
}

func refusal(err error) answer {
	refused := answer{Error: err.Error(), Causes: []string{}, Owners: []owner{}}
	var status *apierrors.StatusError
	if errors.As(err, &status) && status.ErrStatus.Details != nil {
		for _, cause := range status.ErrStatus.Details.Causes {
			refused.Causes = append(refused.Causes, cause.Field+": "+cause.Message)
		}
	}
	return refused
}

func describe(live *unstructured.Unstructured) answer {
	shown := live.DeepCopy()
	shown.SetManagedFields(nil)
	told := answer{Causes: []string{}, Object: shown.Object, Owners: []owner{}}
	for _, entry := range live.GetManagedFields() {
		told.Owners = append(told.Owners, ownerOf(entry))
	}
	return told
}

// The fields in the text that the package writes; an unstructured object has lost their order.
func ownerOf(entry metav1.ManagedFieldsEntry) owner {
	set := fieldpath.NewSet()
	check(set.FromJSON(bytes.NewReader(entry.FieldsV1.Raw)))
	text, err := set.ToJSON()
	check(err)
	return owner{
		Manager:     entry.Manager,
		Operation:   string(entry.Operation),
		APIVersion:  entry.APIVersion,
		Subresource: entry.Subresource,
		Timed:       entry.Time != nil,
		Fields:      string(text),
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
