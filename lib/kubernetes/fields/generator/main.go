// Writes the table of field facts (see ../field-facts.ts for its form) to standard output: for each type of the
// Kubernetes API its fields, read by reflection from the Go types, and their list types and keys, read from the
// schema that client-go applies with. Names, numbers and types only. `npm run schema` runs it.
//
// With names of kinds, it adds only those to the table on standard input. later.mod has newer modules than go.mod, for
// kinds that are newer than the table's version. What the table has already stays as it is.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// What is known of one field. Names are short, for there are thousands.
type field struct {
	Name      string   `json:"n,omitempty"`
	Type      string   `json:"t"`
	Message   string   `json:"m,omitempty"`
	Container string   `json:"c,omitempty"`
	Proto     int      `json:"p,omitempty"`
	Flags     string   `json:"f,omitempty"`
	Merge     string   `json:"k,omitempty"`
	Relation  string   `json:"r,omitempty"`
	Keys      []string `json:"l,omitempty"`
	// The Go type where it is a named string or number; errors tell it.
	GoType string `json:"g,omitempty"`
}

type table struct {
	Version  string
	Kinds    map[string]string
	Messages map[string][]field
}

var groups = map[string]bool{
	"v1": true, "apps/v1": true, "batch/v1": true, "autoscaling/v1": true, "autoscaling/v2": true,
	"policy/v1": true, "networking.k8s.io/v1": true, "discovery.k8s.io/v1": true, "coordination.k8s.io/v1": true,
	"events.k8s.io/v1": true, "rbac.authorization.k8s.io/v1": true, "scheduling.k8s.io/v1": true,
	"storage.k8s.io/v1": true, "node.k8s.io/v1": true, "admissionregistration.k8s.io/v1": true,
	"authorization.k8s.io/v1": true, "authentication.k8s.io/v1": true, "apiextensions.k8s.io/v1": true,
	"apiregistration.k8s.io/v1": true, "certificates.k8s.io/v1": true, "flowcontrol.apiserver.k8s.io/v1": true,
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: fields VERSION [KIND]...")
		os.Exit(2)
	}
	added := os.Args[2:]
	must(apiextensions.AddToScheme(scheme.Scheme))
	must(apiregistration.AddToScheme(scheme.Scheme))
	facts := reader{relations: readRelations(), out: table{os.Args[1], map[string]string{}, map[string][]field{}}}
	for kind, goType := range scheme.Scheme.AllKnownTypes() {
		if isServed(kind, goType) && (len(added) == 0 || slices.Contains(added, kind.Kind)) {
			name := facts.message(goType)
			facts.out.Kinds[kind.GroupVersion().String()+"/"+kind.Kind] = name
		}
	}
	if len(added) > 0 {
		facts.out = joined(os.Stdin, facts.out)
	}
	write(facts.out)
}

// The table that is read, with the kinds and messages that it lacks.
func joined(from io.Reader, added table) table {
	var read struct {
		Version  string
		Kinds    map[string]string
		Messages map[string][]field
	}
	must(json.NewDecoder(from).Decode(&read))
	for kind, message := range added.Kinds {
		read.Kinds[kind] = message
	}
	for name, fields := range added.Messages {
		if _, known := read.Messages[name]; !known {
			read.Messages[name] = fields
		}
	}
	return table{read.Version, read.Kinds, read.Messages}
}

// One line for each kind and message, so that a change of version can be read as a difference.
func write(out table) {
	fmt.Printf("{\n\"version\": %s,\n\"kinds\": {\n%s\n},\n\"messages\": {\n%s\n}\n}\n",
		encode(out.Version), lines(out.Kinds), lines(out.Messages))
}

func lines[V any](of map[string]V) string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	sort.Strings(names)
	for i, name := range names {
		names[i] = encode(name) + ": " + encode(of[name])
	}
	return strings.Join(names, ",\n")
}

func encode(value any) string {
	text, err := json.Marshal(value)
	must(err)
	return string(text)
}

// Objects and the options of requests; no lists and no watch events, whose form is always the same.
func isServed(kind schema.GroupVersionKind, goType reflect.Type) bool {
	if !groups[kind.GroupVersion().String()] || strings.HasSuffix(kind.Kind, "List") && kind.Kind != "PodList" && hasItems(goType) {
		return false
	}
	if goType.PkgPath() == "k8s.io/apimachinery/pkg/apis/meta/v1" {
		return kind.Version == "v1" && kind.Group == "" && (strings.HasSuffix(kind.Kind, "Options"))
	}
	return kind.Kind != "PodList"
}

func hasItems(goType reflect.Type) bool {
	_, found := goType.FieldByName("Items")
	return found
}

type reader struct {
	relations map[string]map[string]relation
	out       table
}

// The name of a message: its package and Go name, as OpenAPI writes them without the common beginning.
func nameOf(goType reflect.Type) string {
	path := goType.PkgPath()
	for _, prefix := range []string{"k8s.io/api/", "k8s.io/apimachinery/pkg/apis/", "k8s.io/apiextensions-apiserver/pkg/apis/", "k8s.io/kube-aggregator/pkg/apis/", "k8s.io/apimachinery/pkg/"} {
		if rest, found := strings.CutPrefix(path, prefix); found {
			path = rest
			break
		}
	}
	return strings.ReplaceAll(path, "/", ".") + "." + goType.Name()
}

func (r *reader) message(goType reflect.Type) string {
	name := nameOf(goType)
	if _, known := r.out.Messages[name]; known {
		return name
	}
	r.out.Messages[name] = []field{}
	r.shareRelations(goType)
	fields := []field{}
	for i := 0; i < goType.NumField(); i++ {
		if f, ok := r.field(goType, goType.Field(i)); ok {
			fields = append(fields, f)
		}
	}
	r.out.Messages[name] = fields
	return name
}

func (r *reader) field(owner reflect.Type, goField reflect.StructField) (field, bool) {
	tag, tagged := goField.Tag.Lookup("json")
	parts := strings.Split(tag, ",")
	if goField.Type == reflect.TypeOf(metav1.TypeMeta{}) || goField.PkgPath != "" || tag == "-" {
		return field{}, false
	}
	if !tagged && !goField.Anonymous {
		panic(fmt.Sprintf("%s.%s has no JSON name", owner, goField.Name))
	}
	f := field{Name: parts[0], Proto: protoNumber(goField)}
	if f.Name == "" {
		f.Flags += "i"
	}
	for _, option := range parts[1:] {
		if option == "omitempty" {
			f.Flags += "o"
		}
	}
	goType := goField.Type
	if goType.Kind() == reflect.Pointer {
		f.Flags += "p"
		goType = goType.Elem()
	}
	r.typed(&f, goType)
	f.Merge = mergeOf(goField)
	if one, found := r.relations[openapiName(owner)][f.Name]; found {
		f.Relation, f.Keys = one.relation, one.keys
		if one.whole {
			f.Flags += "e"
		}
	}
	return f, true
}

// A struct that JSON inlines may be no type of the schema: what is said of its fields stands where it is inlined.
func (r *reader) shareRelations(goType reflect.Type) {
	for i := 0; i < goType.NumField(); i++ {
		inner := goType.Field(i)
		if !inner.Anonymous || inner.Type.Kind() != reflect.Struct {
			continue
		}
		if _, said := r.relations[openapiName(inner.Type)]; !said {
			r.relations[openapiName(inner.Type)] = r.relations[openapiName(goType)]
		}
	}
}

// The strategic merge: "key" of merged lists, "" and "+" for merged sets and maps, "|" before for retainKeys.
func mergeOf(goField reflect.StructField) string {
	merge := ""
	for _, strategy := range strings.Split(goField.Tag.Get("patchStrategy"), ",") {
		switch strategy {
		case "merge":
			merge += "+" + goField.Tag.Get("patchMergeKey")
		case "retainKeys":
			merge += "|"
		case "replace":
			merge += "!"
		}
	}
	return merge
}

func protoNumber(goField reflect.StructField) int {
	parts := strings.Split(goField.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return 0
	}
	number, err := strconv.Atoi(parts[1])
	must(err)
	return number
}

var scalars = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             "Time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        "MicroTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                                         "Duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         "Fields",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         "Quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       "IntOrString",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          "Raw",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "JSON",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "SchemaOrBool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "SchemaOrArray",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "SchemaOrStrings",
}

func (r *reader) typed(f *field, goType reflect.Type) {
	if name, special := scalars[goType.PkgPath()+"."+goType.Name()]; special {
		f.Type = name
		if strings.HasPrefix(name, "Schema") {
			r.message(reflect.TypeOf(apiextensions.JSONSchemaProps{}))
		}
		return
	}
	if goType.PkgPath() != "" && goType.Kind() != reflect.Struct && goType.Kind() != reflect.Slice && goType.Kind() != reflect.Map {
		f.GoType = goType.String()
	}
	switch goType.Kind() {
	case reflect.String:
		f.Type = "string"
	case reflect.Bool:
		f.Type = "bool"
	case reflect.Int32:
		f.Type = "int32"
	case reflect.Int64, reflect.Int:
		f.Type = "int64"
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		f.Type = "uint64"
	case reflect.Float64, reflect.Float32:
		f.Type = "double"
	case reflect.Struct:
		f.Type, f.Message = "message", r.message(goType)
	case reflect.Slice:
		r.list(f, goType)
	case reflect.Map:
		f.Container += "m"
		element := goType.Elem()
		if element.Kind() == reflect.Pointer {
			element = element.Elem()
		}
		r.typed(f, element)
	default:
		panic("no such type: " + goType.String())
	}
}

func (r *reader) list(f *field, goType reflect.Type) {
	if goType.Elem().Kind() == reflect.Uint8 {
		f.Type = "bytes"
		return
	}
	// A named list of strings (Verbs, ExtraValue) is a message of its own in protobuf.
	if goType.Name() != "" && goType.PkgPath() != "" && wrapped[goType.Name()] {
		f.Flags += "w"
	}
	f.Container += "l"
	element := goType.Elem()
	if element.Kind() == reflect.Pointer {
		element = element.Elem()
	}
	r.typed(f, element)
}

var wrapped = map[string]bool{"Verbs": true, "ExtraValue": true}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
