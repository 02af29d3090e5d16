package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"

	"winnow/test/clients/attempt"
)

// told keeps what an informer's handler is told: `+name`, `~name`, `-name`.
type told struct {
	mutex sync.Mutex
	lines []string
}

func (t *told) note(sign string, object any) {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		panic(err)
	}
	t.mutex.Lock()
	t.lines = append(t.lines, sign+key[len(namespace)+1:])
	t.mutex.Unlock()
}

func (t *told) handler() cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { t.note("+", object) },
		UpdateFunc: func(_, object any) { t.note("~", object) },
		DeleteFunc: func(object any) { t.note("-", object) },
	}
}

func (t *told) until(ctx context.Context, want ...string) error {
	var lines []string
	err := attempt.Eventually(ctx, "what the informer tells", func() (bool, error) {
		t.mutex.Lock()
		lines = append([]string{}, t.lines...)
		t.mutex.Unlock()
		return fmt.Sprint(lines) == fmt.Sprint(want), nil
	})
	if err != nil {
		return fmt.Errorf("%w: it told %v, and not %v", err, lines, want)
	}
	return nil
}

func (w *world) create(ctx context.Context, name string, labels map[string]string) (*corev1.ConfigMap, error) {
	return w.typed.CoreV1().ConfigMaps(namespace).Create(ctx, configMap(name, labels), metav1.CreateOptions{})
}

func (w *world) label(ctx context.Context, object *corev1.ConfigMap, labels map[string]string) error {
	changed := object.DeepCopy()
	changed.Labels = labels
	_, err := w.typed.CoreV1().ConfigMaps(namespace).Update(ctx, changed, metav1.UpdateOptions{})
	return err
}

func (w *world) remove(ctx context.Context, name string) error {
	return w.typed.CoreV1().ConfigMaps(namespace).Delete(ctx, name, metav1.DeleteOptions{})
}

// factory makes informers of the config maps that match.
func (w *world) factory(selector string) informers.SharedInformerFactory {
	tweak := informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = selector })
	return informers.NewSharedInformerFactoryWithOptions(w.typed, 0, informers.WithNamespace(namespace), tweak)
}

func (w *world) informer(ctx context.Context) error {
	before, err := w.create(ctx, "informed-1", map[string]string{"set": "informer"})
	if err != nil {
		return err
	}
	factory := w.factory("set=informer")
	seen := &told{}
	informer := factory.Core().V1().ConfigMaps().Informer()
	if _, err = informer.AddEventHandler(seen.handler()); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("does not sync; asked %v", w.asked.with("set%3Dinformer"))
	}
	if _, err = w.create(ctx, "informed-2", before.Labels); err != nil {
		return err
	}
	before.Data["colour"] = "red"
	err = attempt.First(w.label(ctx, before, before.Labels), w.remove(ctx, "informed-2"))
	if err != nil {
		return err
	}
	if err = seen.until(ctx, "+informed-1", "+informed-2", "~informed-1", "-informed-2"); err != nil {
		return err
	}
	cached, err := factory.Core().V1().ConfigMaps().Lister().ConfigMaps(namespace).Get("informed-1")
	if err != nil {
		return err
	}
	return attempt.Equal("the cached colour", cached.Data["colour"], "red")
}

func (w *world) selectingInformer(ctx context.Context) error {
	factory := w.factory("tier in (front),env!=qa")
	seen := &told{}
	informer := factory.Core().V1().ConfigMaps().Informer()
	if _, err := informer.AddEventHandler(seen.handler()); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("does not sync")
	}
	object, err := w.create(ctx, "selected", map[string]string{"tier": "front"})
	if err != nil {
		return err
	}
	if err = w.label(ctx, object, map[string]string{"tier": "front", "env": "qa"}); err != nil {
		return err
	}
	return seen.until(ctx, "+selected", "-selected")
}

func (w *world) dynamicInformer(ctx context.Context) error {
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(w.dynamic, 0, namespace, func(options *metav1.ListOptions) {
		options.LabelSelector = "set=dynamic"
	})
	seen := &told{}
	informer := factory.ForResource(configMaps).Informer()
	if _, err := informer.AddEventHandler(seen.handler()); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("does not sync")
	}
	if _, err := w.create(ctx, "dynamic-1", map[string]string{"set": "dynamic"}); err != nil {
		return err
	}
	return seen.until(ctx, "+dynamic-1")
}

// What the informers above asked first: a list is a second request where a streamed one was refused.
func (w *world) streamedLists(context.Context) error {
	for _, set := range []string{"set%3Dinformer", "set%3Ddynamic"} {
		requests := w.asked.with("configmaps?", set)
		streamed := w.asked.with("configmaps?", set, "sendInitialEvents=true")
		watches := w.asked.with("configmaps?", set, "watch=true")
		err := attempt.First(
			attempt.Equal(fmt.Sprintf("a streamed first list among %v", requests), len(streamed), 1),
			attempt.Equal(fmt.Sprintf("no list among %v", requests), len(requests), len(watches)),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *world) retryWatcher(ctx context.Context) error {
	object, err := w.create(ctx, "retried", nil)
	if err != nil {
		return err
	}
	second := int64(1)
	watches := 0
	lister := &cache.ListWatch{WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		watches++
		options.FieldSelector = fields.OneTermEqualSelector("metadata.name", "retried").String()
		options.TimeoutSeconds = &second
		return w.typed.CoreV1().ConfigMaps(namespace).Watch(ctx, options)
	}}
	watcher, err := watchtools.NewRetryWatcherWithContext(ctx, object.ResourceVersion, lister)
	if err != nil {
		return err
	}
	defer watcher.Stop()
	for round := range 3 {
		if err = w.label(ctx, object, map[string]string{"round": fmt.Sprint(round)}); err != nil {
			return err
		}
		event, open := <-watcher.ResultChan()
		if !open {
			return fmt.Errorf("the watcher gave up in round %d", round)
		}
		changed, good := event.Object.(*corev1.ConfigMap)
		if !good {
			return fmt.Errorf("%s %+v", event.Type, event.Object)
		}
		if err = attempt.Equal("the label", changed.Labels["round"], round); err != nil {
			return err
		}
		object = changed
		// Until the server has ended this watch, and so the next event comes by another.
		was := watches
		err = attempt.Eventually(ctx, "another watch", func() (bool, error) { return watches > was, nil })
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *world) untilWithSync(ctx context.Context) error {
	object, err := w.create(ctx, "awaited", nil)
	if err != nil {
		return err
	}
	lister := cache.NewListWatchFromClient(w.typed.CoreV1().RESTClient(), "configmaps", namespace,
		fields.OneTermEqualSelector("metadata.name", "awaited"))
	go func() {
		time.Sleep(200 * time.Millisecond)
		_ = w.label(ctx, object, map[string]string{"ready": "yes"})
	}()
	_, err = watchtools.UntilWithSync(ctx, lister, &corev1.ConfigMap{}, nil, func(event watch.Event) (bool, error) {
		return event.Object.(*corev1.ConfigMap).Labels["ready"] == "yes", nil
	})
	return err
}
