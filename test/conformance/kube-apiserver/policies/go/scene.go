package main

import (
	"encoding/json"
	"fmt"
	"sort"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	"k8s.io/kubernetes/pkg/apis/admissionregistration/validation"

	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
)

// A cluster, and the writes that its policies decide. Policies and bindings decide in the order of their names.
type scene struct {
	Kinds      []servedKind      `json:"kinds"`
	Policy     policy            `json:"policy"`
	Namespaces []json.RawMessage `json:"namespaces"`
	Params     []json.RawMessage `json:"params"`
	Policies   []json.RawMessage `json:"policies"`
	Bindings   []json.RawMessage `json:"bindings"`
	Writes     []write           `json:"writes"`
	// CustomResourceDefinitions, and policies whose types are checked by them.
	Definitions []json.RawMessage `json:"definitions"`
	TypeChecked []json.RawMessage `json:"typeChecked"`
}

// A kind of a resource or of a subresource. Resources of one identity hold the same objects.
type servedKind struct {
	Group       string    `json:"group"`
	Version     string    `json:"version"`
	Resource    string    `json:"resource"`
	Subresource string    `json:"subresource"`
	Kind        groupKind `json:"kind"`
	Namespaced  bool      `json:"namespaced"`
	Identity    string    `json:"identity"`
}

type groupKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// The messages by which each policy and each binding is refused when it is created; empty for those that are created.
type answers struct {
	Policies []string  `json:"policies"`
	Bindings []string  `json:"bindings"`
	Writes   []verdict `json:"writes"`
	// The warnings of each policy whose types are checked.
	Warnings [][]admissionv1.ExpressionWarning `json:"warnings"`
}

func (s scene) answers() answers {
	said := answers{Policies: []string{}, Bindings: []string{}, Writes: []verdict{}}
	hooks := s.hooks(&said)
	dispatcher := validating.NewDispatcher(s.authorizer(), generic.NewPolicyMatcher(s.matcher()))
	interfaces := newInterfaces(s.Kinds)
	for _, each := range s.Writes {
		said.Writes = append(said.Writes, each.decide(dispatcher, interfaces, hooks))
	}
	said.Warnings = s.typeWarnings()
	return said
}

func (s scene) hooks(said *answers) []validating.PolicyHook {
	bindings := map[string][]*admissionv1.ValidatingAdmissionPolicyBinding{}
	for _, each := range s.Bindings {
		binding := &admissionv1.ValidatingAdmissionPolicyBinding{}
		internal := &admissionregistration.ValidatingAdmissionPolicyBinding{}
		readAs(each, binding, internal)
		errors := validation.ValidateValidatingAdmissionPolicyBinding(internal)
		said.Bindings = append(said.Bindings, refusal("ValidatingAdmissionPolicyBinding", binding.Name, errors))
		if len(errors) == 0 {
			name := binding.Spec.PolicyName
			bindings[name] = append(bindings[name], binding)
		}
	}
	var hooks []validating.PolicyHook
	for _, each := range s.Policies {
		policy := &admissionv1.ValidatingAdmissionPolicy{}
		internal := &admissionregistration.ValidatingAdmissionPolicy{}
		readAs(each, policy, internal)
		errors := validation.ValidateValidatingAdmissionPolicy(internal)
		said.Policies = append(said.Policies, refusal("ValidatingAdmissionPolicy", policy.Name, errors))
		bound := bindings[policy.Name]
		if len(errors) > 0 || len(bound) == 0 {
			continue
		}
		sort.Slice(bound, func(one, other int) bool { return bound[one].Name < bound[other].Name })
		hook := validating.PolicyHook{Policy: policy, Bindings: bound, Evaluator: compilePolicy(policy)}
		s.addParams(&hook)
		hooks = append(hooks, hook)
	}
	sort.Slice(hooks, func(one, other int) bool { return hooks[one].Policy.Name < hooks[other].Policy.Name })
	return hooks
}

// addParams gives a policy the objects of its paramKind, as its source does.
func (s scene) addParams(hook *validating.PolicyHook) {
	named := hook.Policy.Spec.ParamKind
	if named == nil {
		return
	}
	group, err := schema.ParseGroupVersion(named.APIVersion)
	check(err)
	gvk := group.WithKind(named.Kind)
	for _, each := range s.Kinds {
		if each.gvk() == gvk && each.Subresource == "" {
			hook.ParamScope = meta.RESTScopeRoot
			if each.Namespaced {
				hook.ParamScope = meta.RESTScopeNamespace
			}
			hook.ParamInformer = informerOf(s.Params, gvk)
			return
		}
	}
	hook.ConfigurationError = fmt.Errorf("failed to find resource referenced by paramKind: '%v'", gvk)
}

func (s scene) matcher() *matching.Matcher {
	namespaces := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, each := range s.Namespaces {
		namespace := &corev1.Namespace{}
		check(json.Unmarshal(each, namespace))
		check(namespaces.Add(namespace))
	}
	return matching.NewMatcher(corelisters.NewNamespaceLister(namespaces), fake.NewSimpleClientset())
}

func (k servedKind) gvr() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: k.Group, Version: k.Version, Resource: k.Resource}
}

func (k servedKind) gvk() schema.GroupVersionKind { return k.Kind.gvk() }

func (k groupKind) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}
}

// readAs decodes an object, sets its defaults and converts it, as kube-apiserver does before it judges it.
func readAs(text json.RawMessage, versioned, internal any) {
	check(json.Unmarshal(text, versioned))
	setDefaults(versioned)
	check(legacyscheme.Scheme.Convert(versioned, internal, nil))
}

func refusal(kind, name string, errors field.ErrorList) string {
	if len(errors) == 0 {
		return ""
	}
	of := schema.GroupKind{Group: admissionv1.GroupName, Kind: kind}
	return apierrors.NewInvalid(of, name, errors).Error()
}
