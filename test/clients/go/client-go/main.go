// Tries client-go with its defaults against the service of KUBECONFIG.
package main

import (
	"context"
	"net/http"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"winnow/test/clients/attempt"
)

// Where all but one of the behaviours happen.
const namespace = "client-go"

type world struct {
	config  *rest.Config
	typed   kubernetes.Interface
	dynamic dynamic.Interface
	asked   *asked
}

// asked keeps the requests' methods and URLs.
type asked struct {
	mutex sync.Mutex
	lines []string
}

func (a *asked) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		a.mutex.Lock()
		a.lines = append(a.lines, request.Method+" "+request.URL.String())
		a.mutex.Unlock()
		return next.RoundTrip(request)
	})
}

// with gives the requests so far that contain every part.
func (a *asked) with(parts ...string) []string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	var found []string
next:
	for _, line := range a.lines {
		for _, part := range parts {
			if !strings.Contains(line, part) {
				continue next
			}
		}
		found = append(found, line)
	}
	return found
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

func main() {
	w, err := connect()
	if err != nil {
		panic(err)
	}
	attempt.Behaviour("typed clients write protobuf: create, get, update, list, delete", w.typedVerbs)
	attempt.Behaviour("typed: every patch, and apply", w.patches)
	attempt.Behaviour("retry on conflict", w.conflicts)
	attempt.Behaviour("status and scale of a deployment", w.subresources)
	attempt.Behaviour("delete collection by selector", w.deleteCollection)
	attempt.Behaviour("dynamic client", w.dynamicVerbs)
	attempt.Behaviour("metadata client", w.metadataOnly)
	attempt.Behaviour("discovery, REST mapping of all that it tells", w.discovery)
	attempt.Behaviour("pager", w.pages)
	attempt.Behaviour("shared informer", w.informer)
	attempt.Behaviour("shared informer by selector: an object that leaves is deleted", w.selectingInformer)
	attempt.Behaviour("dynamic informer", w.dynamicInformer)
	attempt.Behaviour("the informers' first lists are streamed (WatchList), with no second request", w.streamedLists)
	attempt.Behaviour("RetryWatcher goes on after its watch ended", w.retryWatcher)
	attempt.Behaviour("UntilWithSync", w.untilWithSync)
	attempt.Behaviour("leader election: one leads, the next takes over", w.leaderElection)
	attempt.Behaviour("event recorder (core/v1)", w.coreEvents)
	attempt.Behaviour("event recorder (events.k8s.io/v1)", w.newEvents)
	attempt.Behaviour("access review", w.accessReview)
}

func connect() (*world, error) {
	loading := clientcmd.NewDefaultClientConfigLoadingRules()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(loading, nil).ClientConfig()
	if err != nil {
		return nil, err
	}
	w := &world{config: config, asked: &asked{}}
	config.Wrap(w.asked.wrap)
	// A client's own bound of five requests a second is not what is tried.
	config.QPS, config.Burst = 1000, 1000
	if w.typed, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	if w.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return nil, err
	}
	made := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	_, err = w.typed.CoreV1().Namespaces().Create(context.Background(), made, metav1.CreateOptions{})
	return w, err
}

func configMap(name string, labels map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: labels},
		Data:       map[string]string{"colour": "blue"},
	}
}
