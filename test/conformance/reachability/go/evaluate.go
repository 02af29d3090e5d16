package main

import (
	"sort"

	"github.com/mattfenwick/cyclonus/pkg/matcher"
	networking "k8s.io/api/networking/v1"
	defaults "k8s.io/kubernetes/pkg/apis/networking/v1"
)

func (w world) answers() []answer {
	selected := newSelections()
	for _, policy := range w.Policies {
		defaults.SetObjectDefaults_NetworkPolicy(policy)
		selected.take(policy)
	}
	evaluated := matcher.BuildNetworkPolicies(false, w.Policies)
	answers := make([]answer, 0, len(w.Asked))
	for _, asked := range w.Asked {
		traffic := w.traffic(asked, selected)
		answers = append(answers, answer{
			Egress:  w.direction(evaluated, traffic, false),
			Ingress: w.direction(evaluated, traffic, true),
		})
	}
	return answers
}

func (w world) traffic(asked connection, selected *selections) *matcher.Traffic {
	traffic := &matcher.Traffic{
		Source:       w.peer(asked.From, selected),
		Destination:  w.peer(asked.To, selected),
		ResolvedPort: asked.Port,
		Protocol:     asked.Protocol,
	}
	if asked.To.Pod != nil {
		for _, port := range w.Pods[*asked.To.Pod].Ports {
			if port.Port == asked.Port && port.Protocol == asked.Protocol {
				traffic.ResolvedPortName = port.Name
			}
		}
	}
	return traffic
}

func (w world) peer(of end, selected *selections) *matcher.TrafficPeer {
	peer := &matcher.TrafficPeer{IP: of.Address}
	if of.Pod != nil {
		own := w.Pods[*of.Pod]
		peer.Internal = &matcher.InternalPeer{
			PodLabels:       selected.labelsOf(own.Labels),
			NamespaceLabels: selected.labelsOf(w.Namespaces[own.Namespace]),
			Namespace:       own.Namespace,
		}
	}
	return peer
}

func (w world) direction(all *matcher.Policy, traffic *matcher.Traffic, ingress bool) direction {
	result := all.IsIngressOrEgressAllowed(traffic, ingress)
	answer := direction{Allowed: result.IsAllowed(), SelectedBy: []string{}, Rules: []rule{}}
	for _, target := range append(result.AllowingTargets, result.DenyingTargets...) {
		for _, policy := range target.SourceRules {
			answer.SelectedBy = append(answer.SelectedBy, policy.Name)
			answer.Rules = append(answer.Rules, allowing(policy, traffic, ingress)...)
		}
	}
	sort.Strings(answer.SelectedBy)
	sort.Slice(answer.Rules, func(i, j int) bool {
		left, right := answer.Rules[i], answer.Rules[j]
		return left.Policy < right.Policy || left.Policy == right.Policy && left.Index < right.Index
	})
	return answer
}

// The rules of a policy that would allow the connection if there were no others.
func allowing(policy *networking.NetworkPolicy, traffic *matcher.Traffic, ingress bool) []rule {
	count := len(policy.Spec.Egress)
	if ingress {
		count = len(policy.Spec.Ingress)
	}
	rules := []rule{}
	for at := 0; at < count; at++ {
		only := policy.DeepCopy()
		if ingress {
			only.Spec.Ingress = policy.Spec.Ingress[at : at+1]
		} else {
			only.Spec.Egress = policy.Spec.Egress[at : at+1]
		}
		alone := matcher.BuildNetworkPolicies(false, []*networking.NetworkPolicy{only})
		if alone.IsIngressOrEgressAllowed(traffic, ingress).IsAllowed() {
			rules = append(rules, rule{Policy: policy.Name, Index: at})
		}
	}
	return rules
}
