package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"

	"winnow/test/clients/attempt"
)

// One leads; the other waits, and leads when the first lets go.
func (w *world) leaderElection(ctx context.Context) error {
	firstCtx, letGo := context.WithCancel(ctx)
	defer letGo()
	first, err := w.candidate(firstCtx, "first")
	if err != nil {
		return err
	}
	<-first.leads
	second, err := w.candidate(ctx, "second")
	if err != nil {
		return err
	}
	err = attempt.Eventually(ctx, "the second sees who leads", func() (bool, error) {
		return second.elector.GetLeader() == "first", nil
	})
	if err != nil {
		return err
	}
	letGo()
	select {
	case <-second.leads:
	case <-ctx.Done():
		return ctx.Err()
	}
	lease, err := w.typed.CoordinationV1().Leases(namespace).Get(ctx, "leader", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return attempt.First(
		attempt.Equal("the holder", *lease.Spec.HolderIdentity, "second"),
		attempt.Equal("the transitions", *lease.Spec.LeaseTransitions, 1),
	)
}

type candidate struct {
	elector *leaderelection.LeaderElector
	leads   chan struct{}
}

func (w *world) candidate(ctx context.Context, identity string) (*candidate, error) {
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, "leader",
		w.typed.CoreV1(), w.typed.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: identity})
	if err != nil {
		return nil, err
	}
	made := &candidate{leads: make(chan struct{})}
	made.elector, err = leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock,
		// Kubernetes' own.
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(made.leads) },
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return nil, err
	}
	go made.elector.Run(ctx)
	return made, nil
}

func (w *world) about(ctx context.Context, name string) (*corev1.ConfigMap, error) {
	return w.create(ctx, name, nil)
}

// The same event twice becomes one with a count.
func (w *world) coreEvents(ctx context.Context) error {
	object, err := w.about(ctx, "recorded")
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: w.typed.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "winnow"})
	for range 2 {
		recorder.Event(object, corev1.EventTypeNormal, "Painted", "it is blue")
	}
	return attempt.Eventually(ctx, "an event that is counted", func() (bool, error) {
		list, err := w.typed.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{
			FieldSelector: "involvedObject.name=recorded,reason=Painted",
		})
		if err != nil {
			return false, err
		}
		return len(list.Items) == 1 && list.Items[0].Count == 2, nil
	})
}

func (w *world) newEvents(ctx context.Context) error {
	object, err := w.about(ctx, "narrated")
	if err != nil {
		return err
	}
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: w.typed.EventsV1()})
	defer broadcaster.Shutdown()
	if err = broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	broadcaster.NewRecorder(scheme.Scheme, "winnow.dev/test").
		Eventf(object, nil, corev1.EventTypeNormal, "Painted", "Paint", "it is %s", "blue")
	return attempt.Eventually(ctx, "the event", func() (bool, error) {
		list, err := w.typed.EventsV1().Events(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, one := range list.Items {
			if one.Regarding.Name == "narrated" {
				return true, nil
			}
		}
		return false, nil
	})
}
