package main

import (
	"context"
	_ "unsafe" // for the linkname below

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	testclient "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/endpoint"
)

//go:linkname syncService k8s.io/kubernetes/pkg/controller/endpoint.(*Controller).syncService
func syncService(controller *endpoint.Controller, ctx context.Context, key string) error

// The controller of Endpoints, with a cache that is filled by hand.
type endpointsPeer struct {
	controller                *endpoint.Controller
	pods, services, endpoints cache.Indexer
	written                   changes[*core.Endpoints]
}

func newEndpointsPeer() *endpointsPeer {
	peer := &endpointsPeer{}
	client := &fake.Clientset{}
	client.AddReactor("*", "endpoints", peer.write)
	all := informers.NewSharedInformerFactory(client, 0).Core().V1()
	peer.controller = endpoint.NewEndpointController(context.Background(), all.Pods(), all.Services(), all.Endpoints(),
		client, 0)
	peer.pods = all.Pods().Informer().GetIndexer()
	peer.services = all.Services().Informer().GetIndexer()
	peer.endpoints = all.Endpoints().Informer().GetIndexer()
	return peer
}

func (peer *endpointsPeer) write(action testclient.Action) (bool, runtime.Object, error) {
	switch action := action.(type) {
	case testclient.CreateActionImpl:
		peer.written.Create = append(peer.written.Create, action.Object.(*core.Endpoints))
		return true, action.Object, nil
	case testclient.UpdateActionImpl:
		peer.written.Update = append(peer.written.Update, action.Object.(*core.Endpoints))
		return true, action.Object, nil
	case testclient.DeleteActionImpl:
		peer.written.Delete = append(peer.written.Delete, action.Name)
	}
	return true, nil, nil
}

func (peer *endpointsPeer) changes(asked *question) changes[*core.Endpoints] {
	peer.written = changes[*core.Endpoints]{
		Create: []*core.Endpoints{}, Update: []*core.Endpoints{}, Delete: []string{},
	}
	pods := make([]any, len(asked.Pods))
	for at, pod := range asked.Pods {
		pods[at] = pod
	}
	there := []any{}
	if asked.Endpoints != nil {
		there = append(there, asked.Endpoints)
	}
	check(peer.pods.Replace(pods, ""))
	check(peer.services.Replace([]any{asked.Service}, ""))
	check(peer.endpoints.Replace(there, ""))
	check(syncService(peer.controller, context.Background(), asked.Service.Namespace+"/"+asked.Service.Name))
	return peer.written
}
