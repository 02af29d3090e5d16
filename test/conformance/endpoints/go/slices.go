package main

import (
	"time"

	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/listers/core/v1"
	testclient "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/record"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/util"
	"k8s.io/klog/v2"
)

// What the reconciler asks of the API for a question. Without a topology cache: the annotation for hints by processors
// of zones is not followed.
func (asked *question) sliceChanges() changes[*discovery.EndpointSlice] {
	written := changes[*discovery.EndpointSlice]{
		Create: []*discovery.EndpointSlice{}, Update: []*discovery.EndpointSlice{}, Delete: []string{},
	}
	client := &fake.Clientset{}
	client.AddReactor("*", "endpointslices", func(action testclient.Action) (bool, runtime.Object, error) {
		switch action := action.(type) {
		case testclient.CreateActionImpl:
			slice := action.Object.(*discovery.EndpointSlice)
			written.Create = append(written.Create, slice)
			return true, slice, nil
		case testclient.UpdateActionImpl:
			slice := action.Object.(*discovery.EndpointSlice)
			written.Update = append(written.Update, slice)
			return true, slice, nil
		case testclient.DeleteActionImpl:
			written.Delete = append(written.Delete, action.Name)
		}
		return true, nil, nil
	})
	reconciler := endpointslice.NewReconciler(client, asked.nodes(), asked.MostInSlice, util.NewEndpointSliceTracker(), nil,
		record.NewFakeRecorder(1), asked.Controller, endpointslice.WithTrafficDistributionEnabled(true, false))
	check(reconciler.Reconcile(klog.Background(), asked.Service, asked.Pods, asked.Slices, time.Time{}))
	return written
}

// The deviation: a node that is not there is no error, so that its pods count.
type nodes struct {
	v1.NodeLister
	byName map[string]*core.Node
}

func (asked *question) nodes() nodes {
	byName := map[string]*core.Node{}
	for _, node := range asked.Nodes {
		byName[node.Name] = node
	}
	return nodes{byName: byName}
}

func (all nodes) Get(name string) (*core.Node, error) {
	return all.byName[name], nil
}
