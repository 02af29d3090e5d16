package main

import (
	_ "unsafe" // for go:linkname

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
)

// compilePolicy is the plugin's own function, which it does not export. Its callers order policies at random.
//
//go:linkname compilePolicy k8s.io/apiserver/pkg/admission/plugin/policy/mutating.compilePolicy
func compilePolicy(policy *admissionv1.MutatingAdmissionPolicy) mutating.PolicyEvaluator
