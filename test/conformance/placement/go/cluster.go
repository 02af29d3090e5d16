package main

import (
	"context"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// lister is the snapshot of the cluster that is asked about: plugins keep what they were made with.
type lister struct {
	*internalcache.Snapshot
}

// nominations are the pods that wait for a node which was promised to them.
type nominations map[string][]*framework.PodInfo

func (n nominations) AddNominatedPod(klog.Logger, *framework.PodInfo, *framework.NominatingInfo) {}
func (n nominations) DeleteNominatedPodIfExists(*v1.Pod)                                         {}
func (n nominations) UpdateNominatedPod(klog.Logger, *v1.Pod, *framework.PodInfo)                {}
func (n nominations) NominatedPodsForNode(name string) []*framework.PodInfo                      { return n[name] }

// isTerminal is true of pods that kube-scheduler's informer does not select.
func isTerminal(pod *v1.Pod) bool {
	return pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
}

// fill puts a cluster where the plugins look.
func fill(ctx context.Context, asked question, factory informers.SharedInformerFactory) (*internalcache.Snapshot, nominations) {
	logger := klog.FromContext(ctx)
	held := internalcache.New(ctx, time.Hour)
	for _, node := range asked.Nodes {
		held.AddNode(logger, node)
	}
	promised := nominations{}
	for _, pod := range asked.Pods {
		switch {
		case isTerminal(pod):
		case pod.Spec.NodeName != "":
			check(held.AddPod(logger, pod))
		case pod.Status.NominatedNodeName != "":
			info, _ := framework.NewPodInfo(pod)
			promised[pod.Status.NominatedNodeName] = append(promised[pod.Status.NominatedNodeName], info)
		}
	}
	snapshot := internalcache.NewEmptySnapshot()
	check(held.UpdateSnapshot(logger, snapshot))
	core, apps := factory.Core().V1(), factory.Apps().V1()
	replace(core.Namespaces().Informer(), asked.Namespaces)
	replace(core.Services().Informer(), asked.Services)
	replace(core.ReplicationControllers().Informer(), asked.ReplicationControllers)
	replace(apps.ReplicaSets().Informer(), asked.ReplicaSets)
	replace(apps.StatefulSets().Informer(), asked.StatefulSets)
	return snapshot, promised
}

func replace[T runtime.Object](informer cache.SharedIndexInformer, objects []T) {
	listed := make([]any, len(objects))
	for at, object := range objects {
		listed[at] = object
	}
	check(informer.GetIndexer().Replace(listed, ""))
}
