package main

import (
	"encoding/json"
	"strconv"

	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Selectors are Kubernetes' own: cyclonus has it that `NotIn` asks for the key, and that a label that is not there is
// empty. So each selector is replaced by a label of its own, which a pod or a namespace has that it selects.
type selections struct {
	selectors map[string]labels.Selector
	names     map[string]string
}

func newSelections() *selections {
	return &selections{selectors: map[string]labels.Selector{}, names: map[string]string{}}
}

func (s *selections) take(policy *networking.NetworkPolicy) {
	s.replace(&policy.Spec.PodSelector)
	for _, rule := range policy.Spec.Ingress {
		s.takePeers(rule.From)
	}
	for _, rule := range policy.Spec.Egress {
		s.takePeers(rule.To)
	}
}

func (s *selections) takePeers(peers []networking.NetworkPolicyPeer) {
	for _, peer := range peers {
		s.replace(peer.PodSelector)
		s.replace(peer.NamespaceSelector)
	}
}

func (s *selections) replace(selector *meta.LabelSelector) {
	if selector == nil || len(selector.MatchLabels) == 0 && len(selector.MatchExpressions) == 0 {
		return
	}
	text, err := json.Marshal(selector)
	check(err)
	name, known := s.names[string(text)]
	if !known {
		name = "selected-by-" + strconv.Itoa(len(s.names))
		s.names[string(text)] = name
		s.selectors[name], err = meta.LabelSelectorAsSelector(selector)
		check(err)
	}
	*selector = meta.LabelSelector{MatchLabels: map[string]string{name: "yes"}}
}

func (s *selections) labelsOf(own map[string]string) map[string]string {
	found := map[string]string{}
	for name, selector := range s.selectors {
		if selector.Matches(labels.Set(own)) {
			found[name] = "yes"
		}
	}
	return found
}
