package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Policies with their bindings, which apply in the order of their names, and the writes whose objects they change.
type scene struct {
	Namespaces []json.RawMessage `json:"namespaces"`
	Params     []json.RawMessage `json:"params"`
	Policies   []json.RawMessage `json:"policies"`
	Bindings   []json.RawMessage `json:"bindings"`
	Writes     []write           `json:"writes"`
}

type write struct {
	Operation string          `json:"operation"`
	Group     string          `json:"group"`
	Version   string          `json:"version"`
	Resource  string          `json:"resource"`
	Kind      string          `json:"kind"`
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject"`
}

type answers struct {
	Writes []outcome `json:"writes"`
}

// The object after all policies, or the status of the refusal.
type outcome struct {
	Object runtime.Object `json:"object"`
	Status *metav1.Status `json:"status"`
}

func (s scene) answers() answers {
	said := answers{Writes: []outcome{}}
	authorizer := authorizerfactory.NewAlwaysDenyAuthorizer()
	dispatcher := mutating.NewDispatcher(authorizer, s.matcher(), converters{})
	hooks := s.hooks()
	for _, each := range s.Writes {
		said.Writes = append(said.Writes, each.change(dispatcher, hooks))
	}
	return said
}

func (s scene) hooks() []mutating.PolicyHook {
	bindings := map[string][]*admissionv1.MutatingAdmissionPolicyBinding{}
	for _, each := range s.Bindings {
		binding := &admissionv1.MutatingAdmissionPolicyBinding{}
		check(json.Unmarshal(each, binding))
		bindings[binding.Spec.PolicyName] = append(bindings[binding.Spec.PolicyName], binding)
	}
	var hooks []mutating.PolicyHook
	for _, each := range s.Policies {
		policy := &admissionv1.MutatingAdmissionPolicy{}
		check(json.Unmarshal(each, policy))
		bound := bindings[policy.Name]
		if len(bound) == 0 {
			continue
		}
		sort.Slice(bound, func(one, other int) bool { return bound[one].Name < bound[other].Name })
		hook := mutating.PolicyHook{Policy: policy, Bindings: bound, Evaluator: compilePolicy(policy)}
		s.addParams(&hook)
		hooks = append(hooks, hook)
	}
	sort.Slice(hooks, func(one, other int) bool { return hooks[one].Policy.Name < hooks[other].Policy.Name })
	return hooks
}

// addParams gives a policy the ConfigMaps of its paramKind; other kinds are not served.
func (s scene) addParams(hook *mutating.PolicyHook) {
	named := hook.Policy.Spec.ParamKind
	if named == nil {
		return
	}
	group, err := schema.ParseGroupVersion(named.APIVersion)
	check(err)
	gvk := group.WithKind(named.Kind)
	if gvk != corev1.SchemeGroupVersion.WithKind("ConfigMap") {
		hook.ConfigurationError = fmt.Errorf("failed to find resource referenced by paramKind: '%v'", gvk)
		return
	}
	hook.ParamScope = meta.RESTScopeNamespace
	hook.ParamInformer = informerOf(s.Params)
}

func (s scene) matcher() *matching.Matcher {
	namespaces := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, each := range s.Namespaces {
		namespace := &corev1.Namespace{}
		check(json.Unmarshal(each, namespace))
		check(namespaces.Add(namespace))
	}
	return matching.NewMatcher(corelisters.NewNamespaceLister(namespaces), nil)
}

// The schemas with which client-go applies.
type converters struct{}

var known = applyconfigurations.NewTypeConverter(scheme.Scheme)

func (converters) GetTypeConverter(schema.GroupVersionKind) managedfields.TypeConverter { return known }

func (converters) Run(context.Context) {}

func (w write) change(dispatcher generic.Dispatcher[mutating.PolicyHook], hooks []mutating.PolicyHook) outcome {
	attributes := w.attributes()
	interfaces := copying{admission.NewObjectInterfacesFromScheme(scheme.Scheme)}
	// As reinvocation.go does.
	err := dispatcher.Dispatch(context.Background(), attributes, interfaces, hooks)
	if again := attributes.GetReinvocationContext(); err == nil && again.ShouldReinvoke() {
		again.SetIsReinvoke()
		err = dispatcher.Dispatch(context.Background(), attributes, interfaces, hooks)
	}
	if err != nil {
		return outcome{Status: statusOf(err)}
	}
	return outcome{Object: attributes.GetObject()}
}

func statusOf(err error) *metav1.Status {
	var known apierrors.APIStatus
	if !errors.As(err, &known) {
		known = apierrors.NewInternalError(err)
	}
	status := known.Status()
	return &status
}

func (w write) attributes() admission.Attributes {
	gvk := schema.GroupVersionKind{Group: w.Group, Version: w.Version, Kind: w.Kind}
	var options runtime.Object = &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{Kind: "CreateOptions", APIVersion: "meta.k8s.io/v1"}}
	if w.Operation == string(admission.Update) {
		options = &metav1.UpdateOptions{TypeMeta: metav1.TypeMeta{Kind: "UpdateOptions", APIVersion: "meta.k8s.io/v1"}}
	}
	return admission.NewAttributesRecord(
		decode(w.Object, gvk),
		decode(w.OldObject, gvk),
		gvk,
		w.Namespace,
		w.Name,
		schema.GroupVersionResource{Group: w.Group, Version: w.Version, Resource: w.Resource},
		"",
		admission.Operation(w.Operation),
		options,
		false,
		&user.DefaultInfo{Name: "jane", Groups: []string{"devs"}},
	)
}

func decode(text json.RawMessage, gvk schema.GroupVersionKind) runtime.Object {
	if len(text) == 0 || string(text) == "null" {
		return nil
	}
	object, err := scheme.Scheme.New(gvk)
	check(err)
	check(json.Unmarshal(text, object))
	object.GetObjectKind().SetGroupVersionKind(gvk)
	return object
}
