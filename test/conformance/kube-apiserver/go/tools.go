//go:build tools

// Package servers names the program that is built of this module, so that go.mod asks for all it needs.
package servers

import _ "k8s.io/kubernetes/cmd/kube-apiserver/app"
