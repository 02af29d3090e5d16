package main

import (
	"encoding/json"
	"reflect"
	"sort"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// copying converts objects to their own version, which the scheme of clients cannot.
type copying struct{ admission.ObjectInterfaces }

func (c copying) GetObjectConvertor() runtime.ObjectConvertor {
	return copier{c.ObjectInterfaces.GetObjectConvertor()}
}

type copier struct{ runtime.ObjectConvertor }

func (c copier) Convert(in, out, context any) error {
	if reflect.TypeOf(in) != reflect.TypeOf(out) {
		return c.ObjectConvertor.Convert(in, out, context)
	}
	made := in.(runtime.Object).DeepCopyObject()
	reflect.ValueOf(out).Elem().Set(reflect.ValueOf(made).Elem())
	return nil
}

// The ConfigMaps that are parameters, in the order of their names.
type params struct {
	objects []*corev1.ConfigMap
	// Nil for all namespaces.
	namespace *string
}

var _ informers.GenericInformer = params{}
var _ cache.GenericLister = params{}

func informerOf(objects []json.RawMessage) params {
	var all params
	for _, text := range objects {
		object := &corev1.ConfigMap{}
		check(json.Unmarshal(text, object))
		object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		all.objects = append(all.objects, object)
	}
	sort.Slice(all.objects, func(one, other int) bool { return all.objects[one].Name < all.objects[other].Name })
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
		if p.has(each) && selector.Matches(labels.Set(each.Labels)) {
			found = append(found, each)
		}
	}
	return found, nil
}

func (p params) Get(name string) (runtime.Object, error) {
	for _, each := range p.objects {
		if p.has(each) && each.Name == name {
			return each, nil
		}
	}
	return nil, errors.NewNotFound(schema.GroupResource{}, name)
}

func (p params) has(object *corev1.ConfigMap) bool {
	return p.namespace == nil || object.Namespace == *p.namespace
}

// An informer that has read its objects. The plugin asks it for nothing else.
type synced struct{ cache.SharedIndexInformer }

func (synced) HasSynced() bool { return true }
