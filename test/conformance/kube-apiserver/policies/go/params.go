package main

import (
	"encoding/json"
	"sort"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// The parameters of one kind, which are always known, in the order of their names.
type params struct {
	objects []*unstructured.Unstructured
	// Nil for all namespaces.
	namespace *string
}

var _ informers.GenericInformer = params{}
var _ cache.GenericLister = params{}

func informerOf(objects []json.RawMessage, gvk schema.GroupVersionKind) params {
	var all params
	for _, text := range objects {
		object := &unstructured.Unstructured{}
		check(object.UnmarshalJSON(text))
		if object.GroupVersionKind() == gvk {
			all.objects = append(all.objects, object)
		}
	}
	sort.Slice(all.objects, func(one, other int) bool {
		return all.objects[one].GetName() < all.objects[other].GetName()
	})
	return all
}

func (p params) Lister() cache.GenericLister { return p }

func (p params) Informer() cache.SharedIndexInformer { return synced{} }

func (p params) ByNamespace(namespace string) cache.GenericNamespaceLister {
	return params{p.objects, &namespace}
}

func (p params) List(selector labels.Selector) ([]runtime.Object, error) {
	var found []runtime.Object
	for _, each := range p.objects {
		if p.has(each) && selector.Matches(labels.Set(each.GetLabels())) {
			found = append(found, typed(each))
		}
	}
	return found, nil
}

func (p params) Get(name string) (runtime.Object, error) {
	for _, each := range p.objects {
		if p.has(each) && each.GetName() == name {
			return typed(each), nil
		}
	}
	return nil, errors.NewNotFound(schema.GroupResource{}, name)
}

func (p params) has(object *unstructured.Unstructured) bool {
	return p.namespace == nil || object.GetNamespace() == *p.namespace
}

// typed returns an object of a built-in kind as informers have it: without kind and apiVersion.
func typed(object *unstructured.Unstructured) runtime.Object {
	gvk := object.GroupVersionKind()
	if !legacyscheme.Scheme.Recognizes(gvk) {
		return object
	}
	known, err := legacyscheme.Scheme.New(gvk)
	check(err)
	check(runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, known))
	known.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return known
}

// An informer that has read its objects. The plugin asks it for nothing else.
type synced struct{ cache.SharedIndexInformer }

func (synced) HasSynced() bool { return true }
