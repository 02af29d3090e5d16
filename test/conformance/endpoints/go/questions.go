package main

import (
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
)

// A Service, what it selects, and what there is of it already.
type question struct {
	Service    *core.Service              `json:"service"`
	Pods       []*core.Pod                `json:"pods"`
	Nodes      []*core.Node               `json:"nodes"`
	Slices     []*discovery.EndpointSlice `json:"slices"`
	Endpoints  *core.Endpoints            `json:"endpoints"`
	Controller string                     `json:"controller"`
	// How many endpoints a slice takes.
	MostInSlice int32 `json:"mostInSlice"`
}

type answer struct {
	Slices    changes[*discovery.EndpointSlice] `json:"slices"`
	Endpoints changes[*core.Endpoints]          `json:"endpoints"`
}

type changes[Kind any] struct {
	Create []Kind   `json:"create"`
	Update []Kind   `json:"update"`
	Delete []string `json:"delete"`
}
