package main

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
)

// The cluster's roles. There are no roles of namespaces.
type policy struct {
	ClusterRoles        []*rbacv1.ClusterRole        `json:"clusterRoles"`
	ClusterRoleBindings []*rbacv1.ClusterRoleBinding `json:"clusterRoleBindings"`
}

func (s scene) authorizer() authorizer.Authorizer {
	privileged := authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)
	return union.New(privileged, rbac.New(s.Policy, s.Policy, s.Policy, s.Policy))
}

func (p policy) GetRole(_ context.Context, _, name string) (*rbacv1.Role, error) {
	return nil, errors.NewNotFound(rbacv1.Resource("role"), name)
}

func (p policy) GetClusterRole(_ context.Context, name string) (*rbacv1.ClusterRole, error) {
	for _, role := range p.ClusterRoles {
		if role.Name == name {
			return role, nil
		}
	}
	return nil, errors.NewNotFound(rbacv1.Resource("clusterrole"), name)
}

func (p policy) ListRoleBindings(context.Context, string) ([]*rbacv1.RoleBinding, error) {
	return nil, nil
}

func (p policy) ListClusterRoleBindings(context.Context) ([]*rbacv1.ClusterRoleBinding, error) {
	return p.ClusterRoleBindings, nil
}
