package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
)

// decode returns an object as the admission chain has it: in the internal version, or unstructured for custom kinds.
func decode(text json.RawMessage, gvk schema.GroupVersionKind) runtime.Object {
	if len(text) == 0 || string(text) == "null" {
		return nil
	}
	if !legacyscheme.Scheme.Recognizes(gvk) {
		object := &unstructured.Unstructured{}
		check(object.UnmarshalJSON(text))
		return object
	}
	object, err := legacyscheme.Scheme.New(gvk)
	check(err)
	check(json.Unmarshal(text, object))
	setDefaults(object)
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, schema.GroupVersion{
		Group:   gvk.Group,
		Version: runtime.APIVersionInternal,
	})
	check(err)
	return internal
}

func setDefaults(object any) { legacyscheme.Scheme.Default(object.(runtime.Object)) }

// The interfaces of the handlers of built-in and of custom kinds.
type interfaces struct {
	mapper runtime.EquivalentResourceRegistry
}

func newInterfaces(kinds []servedKind) interfaces {
	identities := map[schema.GroupResource]string{}
	for _, each := range kinds {
		identities[each.gvr().GroupResource()] = each.Identity
	}
	mapper := runtime.NewEquivalentResourceRegistryWithIdentity(func(of schema.GroupResource) string {
		return identities[of]
	})
	for _, each := range kinds {
		mapper.RegisterKindFor(each.gvr(), each.Subresource, each.gvk())
	}
	return interfaces{mapper}
}

func (i interfaces) of(gvk schema.GroupVersionKind) admission.ObjectInterfaces {
	known := admission.NewObjectInterfacesFromScheme(legacyscheme.Scheme)
	if legacyscheme.Scheme.Recognizes(gvk) {
		return mapped{known, i.mapper}
	}
	return customized{mapped{known, i.mapper}}
}

type mapped struct {
	admission.ObjectInterfaces
	mapper runtime.EquivalentResourceRegistry
}

func (m mapped) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper { return m.mapper }

// customized converts custom objects as definitions with `strategy: None` do.
type customized struct{ mapped }

func (c customized) GetObjectCreater() runtime.ObjectCreater { return c }

func (c customized) GetObjectConvertor() runtime.ObjectConvertor {
	return converter{legacyscheme.Scheme}
}

func (c customized) New(schema.GroupVersionKind) (runtime.Object, error) {
	return &unstructured.Unstructured{}, nil
}

type converter struct{ runtime.ObjectConvertor }

// Convert copies an object; the caller sets its new kind.
func (c converter) Convert(in, out, _ any) error {
	out.(*unstructured.Unstructured).Object = in.(*unstructured.Unstructured).DeepCopy().Object
	return nil
}
