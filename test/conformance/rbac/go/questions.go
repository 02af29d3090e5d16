package main

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
)

// A policy, and what is asked about it.
type world struct {
	Policy  policy       `json:"policy"`
	Asked   []question   `json:"asked"`
	Granted []escalation `json:"granted"`
}

type question struct {
	User   person `json:"user"`
	Access access `json:"access"`
}

type person struct {
	Name   string   `json:"name"`
	Groups []string `json:"groups"`
}

// Path is set where it is not about objects.
type access struct {
	Verb        string `json:"verb"`
	APIGroup    string `json:"apiGroup"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Namespace   string `json:"namespace"`
	Name        string `json:"name"`
	Path        string `json:"path"`
}

// Somebody gives rules to others in a namespace.
type escalation struct {
	User      person              `json:"user"`
	Namespace string              `json:"namespace"`
	Rules     []rbacv1.PolicyRule `json:"rules"`
}

type answers struct {
	Decisions   []decision            `json:"decisions"`
	Rules       [][]rbacv1.PolicyRule `json:"rules"`
	Escalations []string              `json:"escalations"`
}

type decision struct {
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason"`
}

func (w world) answers() answers {
	p := w.Policy
	privileged := authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)
	authorize := union.New(privileged, rbac.New(p, p, p, p))
	resolver := validation.NewDefaultRuleResolver(p, p, p, p)
	var said answers
	for _, asked := range w.Asked {
		given, reason, err := authorize.Authorize(context.Background(), asked.attributes())
		check(err)
		said.Decisions = append(said.Decisions, decision{given == authorizer.DecisionAllow, reason})
		// What cannot be resolved is in the reason.
		rules, _ := resolver.RulesFor(context.Background(), asked.User.info(), asked.Access.Namespace)
		said.Rules = append(said.Rules, rules)
	}
	for _, one := range w.Granted {
		ctx := genericapirequest.WithUser(context.Background(), one.User.info())
		ctx = genericapirequest.WithNamespace(ctx, one.Namespace)
		why := ""
		if err := validation.ConfirmNoEscalation(ctx, resolver, one.Rules); err != nil {
			why = err.Error()
		}
		said.Escalations = append(said.Escalations, why)
	}
	return said
}

func (p person) info() user.Info {
	return &user.DefaultInfo{Name: p.Name, Groups: p.Groups}
}

func (q question) attributes() authorizer.Attributes {
	return authorizer.AttributesRecord{
		User:            q.User.info(),
		Verb:            q.Access.Verb,
		APIGroup:        q.Access.APIGroup,
		Resource:        q.Access.Resource,
		Subresource:     q.Access.Subresource,
		Namespace:       q.Access.Namespace,
		Name:            q.Access.Name,
		Path:            q.Access.Path,
		ResourceRequest: q.Access.Path == "",
	}
}
