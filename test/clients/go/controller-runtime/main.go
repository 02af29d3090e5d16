// Tries controller-runtime with its defaults against the service of KUBECONFIG: a manager with a controller that
// keeps a secret for each config map of a label.
package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"winnow/test/clients/attempt"
)

const (
	namespace = "default"
	finalizer = "winnow.dev/keeps-a-secret"
	byColour  = "data.colour"
)

type world struct {
	manager ctrl.Manager
	client  client.Client
}

func main() {
	ctrl.SetLogger(zap.New())
	manager, err := newManager()
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()

	w := &world{manager: manager, client: manager.GetClient()}
	attempt.Behaviour("manager starts: leader election, caches synced", w.starts)
	attempt.Behaviour("reconciles: CreateOrUpdate of an owned object, finalizer added", w.reconciles)
	attempt.Behaviour("restores a deleted owned object", w.restores)
	attempt.Behaviour("finalizer: cleans up before the object is deleted", w.finalizes)
	attempt.Behaviour("label-selecting cache", w.selects)
	attempt.Behaviour("index of the cache by a field", w.indexes)
	attempt.Behaviour("Apply, with a conflict", w.applies)
	attempt.Behaviour("Patch with optimistic lock", w.patches)
	attempt.Behaviour("status writer", w.status)
	attempt.Behaviour("DeleteAllOf", w.deletesAll)
	stop()
	attempt.Behaviour("stops, and lets the lease go", func(ctx context.Context) error {
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

func newManager() (ctrl.Manager, error) {
	config, err := ctrl.GetConfig()
	if err != nil {
		return nil, err
	}
	ours := cache.ByObject{Label: labels.SelectorFromSet(labels.Set{"app": "ours"})}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Cache:                         cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.ConfigMap{}: ours}},
		LeaderElection:                true,
		LeaderElectionID:              "controller-runtime",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		Metrics:                       server.Options{BindAddress: "0"},
	})
	if err != nil {
		return nil, err
	}
	err = manager.GetFieldIndexer().IndexField(context.Background(), &corev1.ConfigMap{}, byColour, func(object client.Object) []string {
		return []string{object.(*corev1.ConfigMap).Data["colour"]}
	})
	if err != nil {
		return nil, err
	}
	return manager, ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Complete(&keeper{manager.GetClient()})
}

// keeper keeps a secret of the same name for each config map.
type keeper struct{ client.Client }

func (k *keeper) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	source := &corev1.ConfigMap{}
	if err := k.Get(ctx, request.NamespacedName, source); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !source.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, k.cleanUp(ctx, source)
	}
	if controllerutil.AddFinalizer(source, finalizer) {
		if err := k.Update(ctx, source); err != nil {
			return ctrl.Result{}, err
		}
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: source.Name, Namespace: source.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, k.Client, secret, func() error {
		secret.StringData = map[string]string{"colour": source.Data["colour"]}
		return controllerutil.SetControllerReference(source, secret, k.Scheme())
	})
	return ctrl.Result{}, err
}

func (k *keeper) cleanUp(ctx context.Context, source *corev1.ConfigMap) error {
	mark := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "cleaned-" + source.Name, Namespace: source.Namespace}}
	if err := k.Create(ctx, mark); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	controllerutil.RemoveFinalizer(source, finalizer)
	return k.Update(ctx, source)
}

func (w *world) starts(ctx context.Context) error {
	select {
	case <-w.manager.Elected():
	case <-ctx.Done():
		return ctx.Err()
	}
	return attempt.Equal("synced", w.manager.GetCache().WaitForCacheSync(ctx), true)
}

func ours(name, colour string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"app": "ours"}},
		Data:       map[string]string{"colour": colour},
	}
}

// secret waits until there is one with that colour and with another uid.
func (w *world) secret(ctx context.Context, name, colour, otherUID string) (*corev1.Secret, error) {
	found := &corev1.Secret{}
	err := attempt.Eventually(ctx, "the secret "+name, func() (bool, error) {
		err := w.manager.GetAPIReader().Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, found)
		there := err == nil && string(found.Data["colour"]) == colour && string(found.UID) != otherUID
		return there, client.IgnoreNotFound(err)
	})
	return found, err
}

func (w *world) reconciles(ctx context.Context) error {
	source := ours("sky", "blue")
	if err := w.client.Create(ctx, source); err != nil {
		return err
	}
	secret, err := w.secret(ctx, "sky", "blue", "")
	if err != nil {
		return err
	}
	// Another writer's change, whose version the cache may not have yet.
	if _, err = controllerutil.CreateOrPatch(ctx, w.client, source, func() error {
		source.Data["colour"] = "red"
		return nil
	}); err != nil {
		return err
	}
	if _, err = w.secret(ctx, "sky", "red", ""); err != nil {
		return err
	}
	return attempt.First(
		attempt.Equal("the owner", secret.OwnerReferences[0].UID, source.UID),
		attempt.Equal("the finalizer", controllerutil.ContainsFinalizer(source, finalizer), true),
	)
}

func (w *world) restores(ctx context.Context) error {
	before, err := w.secret(ctx, "sky", "red", "")
	if err != nil {
		return err
	}
	if err = w.client.Delete(ctx, before); err != nil {
		return err
	}
	_, err = w.secret(ctx, "sky", "red", string(before.UID))
	return err
}

func (w *world) finalizes(ctx context.Context) error {
	if err := w.client.Delete(ctx, ours("sky", "")); err != nil {
		return err
	}
	reader := w.manager.GetAPIReader()
	err := attempt.Eventually(ctx, "the config map goes", func() (bool, error) {
		err := reader.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "sky"}, &corev1.ConfigMap{})
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	})
	if err != nil {
		return err
	}
	return reader.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "cleaned-sky"}, &corev1.ConfigMap{})
}

// The cache has what matches and nothing else, also when it matches no longer.
func (w *world) selects(ctx context.Context) error {
	chosen := ours("chosen", "green")
	other := ours("other", "green")
	other.Labels = map[string]string{"app": "theirs"}
	if err := attempt.First(w.client.Create(ctx, chosen), w.client.Create(ctx, other)); err != nil {
		return err
	}
	if err := w.cached(ctx, []string{"chosen"}); err != nil {
		return err
	}
	if _, err := w.secret(ctx, "chosen", "green", ""); err != nil {
		return err
	}
	left := chosen.DeepCopy()
	left.Labels = map[string]string{"app": "theirs"}
	if err := w.client.Patch(ctx, left, client.MergeFrom(chosen)); err != nil {
		return err
	}
	return w.cached(ctx, nil)
}

func (w *world) cached(ctx context.Context, want []string) error {
	var names []string
	err := attempt.Eventually(ctx, "the cache", func() (bool, error) {
		list := &corev1.ConfigMapList{}
		if err := w.client.List(ctx, list, client.InNamespace(namespace)); err != nil {
			return false, err
		}
		names = nil
		for _, one := range list.Items {
			names = append(names, one.Name)
		}
		return fmt.Sprint(names) == fmt.Sprint(want), nil
	})
	if err != nil {
		return fmt.Errorf("%w: it has %v, and not %v", err, names, want)
	}
	return nil
}

func (w *world) indexes(ctx context.Context) error {
	if err := attempt.First(w.client.Create(ctx, ours("one", "white")), w.client.Create(ctx, ours("two", "black"))); err != nil {
		return err
	}
	return attempt.Eventually(ctx, "the index", func() (bool, error) {
		list := &corev1.ConfigMapList{}
		err := w.client.List(ctx, list, client.MatchingFields{byColour: "white"})
		return err == nil && len(list.Items) == 1 && list.Items[0].Name == "one", err
	})
}

func (w *world) applies(ctx context.Context) error {
	wanted := corev1apply.ConfigMap("applied", namespace).WithData(map[string]string{"colour": "blue"})
	other := corev1apply.ConfigMap("applied", namespace).WithData(map[string]string{"colour": "red"})
	if err := w.client.Apply(ctx, wanted, client.FieldOwner("one")); err != nil {
		return err
	}
	conflict := w.client.Apply(ctx, other, client.FieldOwner("two"))
	return attempt.First(
		attempt.Equal("a conflict", apierrors.IsConflict(conflict), true),
		w.client.Apply(ctx, other, client.FieldOwner("two"), client.ForceOwnership),
	)
}

func (w *world) patches(ctx context.Context) error {
	object := ours("locked", "blue")
	object.Labels = nil
	if err := w.client.Create(ctx, object); err != nil {
		return err
	}
	before := object.DeepCopy()
	stale := object.DeepCopy()
	object.Data["colour"] = "red"
	lock := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := w.client.Patch(ctx, object, lock); err != nil {
		return err
	}
	stale.Data["colour"] = "green"
	return attempt.Equal("a conflict", apierrors.IsConflict(w.client.Patch(ctx, stale, lock)), true)
}

func (w *world) status(ctx context.Context) error {
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "statuses"}}
	if err := w.client.Create(ctx, space); err != nil {
		return err
	}
	space.Status.Conditions = []corev1.NamespaceCondition{{
		Type: "Painted", Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(time.Now()),
	}}
	if err := w.client.Status().Update(ctx, space); err != nil {
		return err
	}
	return attempt.Equal("the condition", space.Status.Conditions[0].Type, "Painted")
}

func (w *world) deletesAll(ctx context.Context) error {
	pod := corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.example/web:1"}}}
	for _, name := range []string{"web-1", "web-2"} {
		made := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"app": "web"}}, Spec: pod}
		if err := w.client.Create(ctx, made); err != nil {
			return err
		}
	}
	if err := w.client.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(namespace), client.MatchingLabels{"app": "web"}); err != nil {
		return err
	}
	list := &corev1.PodList{}
	err := w.manager.GetAPIReader().List(ctx, list, client.InNamespace(namespace), client.MatchingLabels{"app": "web"})
	return attempt.First(err, attempt.Equal("left", len(list.Items), 0))
}
