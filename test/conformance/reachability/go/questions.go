package main

import (
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
)

// A cluster, and connections in it that are asked about.
type world struct {
	Namespaces map[string]map[string]string `json:"namespaces"`
	Pods       []pod                        `json:"pods"`
	Policies   []*networking.NetworkPolicy  `json:"policies"`
	Asked      []connection                 `json:"asked"`
}

type pod struct {
	Namespace string            `json:"namespace"`
	Name      string            `json:"name"`
	Labels    map[string]string `json:"labels"`
	Ports     []containerPort   `json:"ports"`
}

type containerPort struct {
	Name     string        `json:"name"`
	Port     int           `json:"port"`
	Protocol core.Protocol `json:"protocol"`
}

type connection struct {
	From     end           `json:"from"`
	To       end           `json:"to"`
	Port     int           `json:"port"`
	Protocol core.Protocol `json:"protocol"`
}

// An end is the pod of a place in the world's list, or none.
type end struct {
	Pod     *int   `json:"pod"`
	Address string `json:"address"`
}

type answer struct {
	Egress  direction `json:"egress"`
	Ingress direction `json:"ingress"`
}

type direction struct {
	Allowed bool `json:"allowed"`
	// The names of the policies that select the pod, sorted.
	SelectedBy []string `json:"selectedBy"`
	// The rules that allow the connection, each looked at by itself, sorted.
	Rules []rule `json:"rules"`
}

type rule struct {
	Policy string `json:"policy"`
	Index  int    `json:"index"`
}
