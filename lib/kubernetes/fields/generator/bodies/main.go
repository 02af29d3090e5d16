// Writes bodies to standard output, one a line: objects of every kind of the Kubernetes API, filled at random, as
// Kubernetes' own encoders write them in JSON and in protobuf (base64). The tests of protobuf bodies read them.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"sort"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// Bodies of each kind; the first is empty.
const each = 4

// Structs within structs that are filled; what is deeper stays zero.
const deepest = 7

func main() {
	must(apiextensions.AddToScheme(scheme.Scheme))
	must(apiregistration.AddToScheme(scheme.Scheme))
	encoder := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	for _, kind := range kinds() {
		for i := 0; i < each; i++ {
			object, err := scheme.Scheme.New(kind)
			must(err)
			if i > 0 {
				filler{rand.New(rand.NewSource(int64(i) + int64(len(kind.String()))<<8))}.fill(reflect.ValueOf(object).Elem(), 0)
			}
			object.GetObjectKind().SetGroupVersionKind(kind)
			var encoded bytes.Buffer
			must(encoder.Encode(object, &encoded))
			line, err := json.Marshal(map[string]any{"json": object, "protobuf": encoded.Bytes()})
			must(err)
			fmt.Println(string(line))
		}
	}
}

// The stable versions of objects, and the options of deletions. Lists are made of these.
func kinds() []schema.GroupVersionKind {
	found := []schema.GroupVersionKind{{Version: "v1", Kind: "DeleteOptions"}, {Group: "apps", Version: "v1", Kind: "DeleteOptions"}}
	for kind, goType := range scheme.Scheme.AllKnownTypes() {
		_, isList := goType.FieldByName("Items")
		_, isObject := goType.FieldByName("ObjectMeta")
		if !strings.Contains(kind.Version, "alpha") && !strings.Contains(kind.Version, "beta") && isObject && !isList &&
			kind.Version != runtime.APIVersionInternal && kind.Group != "imagepolicy.k8s.io" {
			found = append(found, kind)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].String() < found[j].String() })
	return found
}

type filler struct{ *rand.Rand }

func (f filler) fill(value reflect.Value, depth int) {
	if f.special(value, depth) {
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(f.text())
	case reflect.Bool:
		value.SetBool(f.Intn(2) == 1)
	case reflect.Int32, reflect.Int64, reflect.Int:
		value.SetInt(int64(f.number()))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		value.SetUint(uint64(f.Intn(3)))
	case reflect.Float64:
		value.SetFloat(float64(f.Intn(1000)) / 8)
	case reflect.Pointer:
		if f.goesOn(depth) {
			value.Set(reflect.New(value.Type().Elem()))
			f.fill(value.Elem(), depth)
		}
	case reflect.Struct:
		for i := 0; i < value.NumField(); i++ {
			if value.Type().Field(i).Type != reflect.TypeOf(metav1.TypeMeta{}) && value.Type().Field(i).IsExported() {
				f.fill(value.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		f.fillSlice(value, depth)
	case reflect.Map:
		f.fillMap(value, depth)
	}
}

func (f filler) goesOn(depth int) bool { return depth < deepest && f.Intn(depth+1) < 2 }

func (f filler) fillSlice(value reflect.Value, depth int) {
	if !f.goesOn(depth) {
		return
	}
	value.Set(reflect.MakeSlice(value.Type(), 1+f.Intn(2), 2))
	for i := 0; i < value.Len(); i++ {
		f.fill(value.Index(i), depth)
	}
}

func (f filler) fillMap(value reflect.Value, depth int) {
	if !f.goesOn(depth) {
		return
	}
	value.Set(reflect.MakeMap(value.Type()))
	for i := 0; i <= f.Intn(2); i++ {
		element := reflect.New(value.Type().Elem()).Elem()
		f.fill(element, depth)
		value.SetMapIndex(reflect.ValueOf(fmt.Sprintf("key-%d", i)).Convert(value.Type().Key()), element)
	}
}

var texts = []string{"", "a", "web", "ü€😀", "a long text of more than a hundred and twenty-seven bytes, so that its length on the wire takes two bytes instead of one, as most do"}

func (f filler) text() string { return texts[f.Intn(len(texts))] }

var numbers = []int{0, 1, -1, 80, 65536, 2147483647, -2147483648}

func (f filler) number() int { return numbers[f.Intn(len(numbers))] }

// Types whose JSON is not their fields. True where the value was one of them.
func (f filler) special(value reflect.Value, depth int) bool {
	when := time.Unix(int64(f.Intn(4_000_000_000)), int64(f.Intn(1_000_000))*1000).UTC()
	switch special := value.Addr().Interface().(type) {
	case *metav1.Time:
		*special = metav1.Time{Time: when.Truncate(time.Second)}
	case *metav1.MicroTime:
		*special = metav1.MicroTime{Time: when}
	case *resource.Quantity:
		*special = resource.MustParse([]string{"0", "500m", "1Gi", "3", "1e3"}[f.Intn(5)])
	case *intstr.IntOrString:
		*special = []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(8080), intstr.FromString("http"), intstr.FromString("")}[f.Intn(4)]
	case *runtime.RawExtension:
		special.Raw = []byte(`{"a":[1,{"b":null}]}`)
	case *metav1.FieldsV1:
		special.Raw = []byte(`{"f:metadata":{}}`)
	case *apiextensions.JSON:
		special.Raw = []byte([]string{`{"x":1}`, `"text"`, `[true]`, `0`}[f.Intn(4)])
	case *apiextensions.JSONSchemaPropsOrBool:
		special.Allows = f.Intn(2) == 1
		special.Schema = f.schema(depth)
	case *apiextensions.JSONSchemaPropsOrArray:
		if special.Schema = f.schema(depth); special.Schema == nil {
			special.JSONSchemas = []apiextensions.JSONSchemaProps{{Type: "string"}, {}}
		}
	case *apiextensions.JSONSchemaPropsOrStringArray:
		if special.Schema = f.schema(depth); special.Schema == nil {
			special.Property = []string{"a", "b"}
		}
	default:
		return false
	}
	return true
}

func (f filler) schema(depth int) *apiextensions.JSONSchemaProps {
	if !f.goesOn(depth) {
		return nil
	}
	made := &apiextensions.JSONSchemaProps{}
	f.fill(reflect.ValueOf(made).Elem(), depth)
	return made
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
