package main

import (
	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
)

// What a deployment may set in the default profile.
type profile struct {
	HardPodAffinityWeight *int32           `json:"hardPodAffinityWeight"`
	AddedAffinity         *v1.NodeAffinity `json:"addedAffinity"`
}

// A cluster, and pods to be placed in it, each for itself. Pods without a nodeName are there for their
// nominatedNodeName.
type question struct {
	Profile                profile                     `json:"profile"`
	Nodes                  []*v1.Node                  `json:"nodes"`
	Pods                   []*v1.Pod                   `json:"pods"`
	Namespaces             []*v1.Namespace             `json:"namespaces"`
	Services               []*v1.Service               `json:"services"`
	ReplicationControllers []*v1.ReplicationController `json:"replicationControllers"`
	ReplicaSets            []*appsv1.ReplicaSet        `json:"replicaSets"`
	StatefulSets           []*appsv1.StatefulSet       `json:"statefulSets"`
	Asked                  []*v1.Pod                   `json:"asked"`
}

type placement struct {
	// Feasible nodes with the weighted score of each plugin that scores.
	Feasible map[string]map[string]int64 `json:"feasible"`
	Refused  map[string]refusal          `json:"refused"`
	Message  string                      `json:"message"`
	Error    string                      `json:"error"`
}

type refusal struct {
	Rule    string   `json:"rule"`
	Reasons []string `json:"reasons"`
}
