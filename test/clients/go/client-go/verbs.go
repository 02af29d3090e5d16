package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"

	"winnow/test/clients/attempt"
)

var (
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
)

func deployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:      "web",
					Image:     "registry.example/web:1",
					Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("100m")}},
				}}},
			},
		},
	}
}

func (w *world) typedVerbs(ctx context.Context) error {
	client := w.typed.AppsV1().Deployments(namespace)
	made, err := client.Create(ctx, deployment("verbs"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	err = attempt.First(
		attempt.Equal("the default of replicas", *made.Spec.Replicas, 1),
		attempt.Equal("the default of the strategy", made.Spec.Strategy.Type, "RollingUpdate"),
		attempt.Equal("the request", made.Spec.Template.Spec.Containers[0].Resources.Requests.Cpu().String(), "100m"),
	)
	if err != nil {
		return err
	}
	made.Spec.Template.Spec.Containers[0].Image = "registry.example/web:2"
	updated, err := client.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	listed, err := client.List(ctx, metav1.ListOptions{LabelSelector: "app in (verbs,other)"})
	if err != nil {
		return err
	}
	_, twice := client.Create(ctx, deployment("verbs"), metav1.CreateOptions{})
	deleted := client.Delete(ctx, "verbs", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(made.UID))})
	_, gone := client.Get(ctx, "verbs", metav1.GetOptions{})
	return attempt.First(
		attempt.Equal("the generation", updated.Generation, 2),
		attempt.Equal("the number listed", len(listed.Items), 1),
		attempt.Equal("a second create refused", apierrors.IsAlreadyExists(twice), true),
		deleted,
		attempt.Equal("gone", apierrors.IsNotFound(gone), true),
	)
}

func (w *world) patches(ctx context.Context) error {
	client := w.typed.CoreV1().ConfigMaps(namespace)
	if _, err := client.Create(ctx, configMap("patches", nil), metav1.CreateOptions{}); err != nil {
		return err
	}
	for kind, patch := range map[types.PatchType]string{
		types.MergePatchType:          `{"data":{"merge":"1"}}`,
		types.StrategicMergePatchType: `{"data":{"strategic":"1"}}`,
		types.JSONPatchType:           `[{"op":"add","path":"/data/json","value":"1"}]`,
	} {
		if _, err := client.Patch(ctx, "patches", kind, []byte(patch), metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	wanted := corev1apply.ConfigMap("patches", namespace).WithData(map[string]string{"colour": "red"})
	_, conflict := client.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "painter"})
	applied, err := client.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "painter", Force: true})
	if err != nil {
		return err
	}
	extracted, err := corev1apply.ExtractConfigMap(applied, "painter")
	if err != nil {
		return err
	}
	return attempt.First(
		attempt.Equal("a conflict", apierrors.IsConflict(conflict), true),
		attempt.Equal("the data", applied.Data, map[string]string{"colour": "red", "json": "1", "merge": "1", "strategic": "1"}),
		attempt.Equal("what is extracted", extracted.Data, map[string]string{"colour": "red"}),
	)
}

func (w *world) conflicts(ctx context.Context) error {
	client := w.typed.CoreV1().ConfigMaps(namespace)
	stale, err := client.Create(ctx, configMap("conflicts", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if _, err = client.Update(ctx, withColour(stale, "red"), metav1.UpdateOptions{}); err != nil {
		return err
	}
	tries := 0
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		tries++
		if tries > 1 {
			if stale, err = client.Get(ctx, "conflicts", metav1.GetOptions{}); err != nil {
				return err
			}
		}
		_, err := client.Update(ctx, withColour(stale, "green"), metav1.UpdateOptions{})
		return err
	})
	return attempt.First(err, attempt.Equal("tries", tries, 2))
}

func withColour(from *corev1.ConfigMap, colour string) *corev1.ConfigMap {
	changed := from.DeepCopy()
	changed.Data["colour"] = colour
	return changed
}

func (w *world) subresources(ctx context.Context) error {
	client := w.typed.AppsV1().Deployments(namespace)
	made, err := client.Create(ctx, deployment("scaled"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Status.ObservedGeneration = made.Generation
	made.Status.Replicas = 1
	if made, err = client.UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	scale, err := client.GetScale(ctx, "scaled", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 5
	scaled, err := client.UpdateScale(ctx, "scaled", scale, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	after, err := client.Get(ctx, "scaled", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return attempt.First(
		attempt.Equal("the scale", scaled.Spec.Replicas, 5),
		attempt.Equal("the scale's selector", scaled.Status.Selector, "app=scaled"),
		attempt.Equal("replicas", *after.Spec.Replicas, 5),
		attempt.Equal("the status", after.Status.ObservedGeneration, made.Generation),
	)
}

func (w *world) deleteCollection(ctx context.Context) error {
	client := w.typed.CoreV1().ConfigMaps(namespace)
	for name, wave := range map[string]string{"wave-1": "1", "wave-2": "1", "wave-3": "2"} {
		if _, err := client.Create(ctx, configMap(name, map[string]string{"wave": wave}), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	err := client.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "wave=1"})
	if err != nil {
		return err
	}
	left, err := client.List(ctx, metav1.ListOptions{LabelSelector: "wave"})
	if err != nil {
		return err
	}
	return attempt.Equal("left", len(left.Items), 1)
}

func (w *world) dynamicVerbs(ctx context.Context) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(deployment("dynamic"))
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{Object: content}
	object.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("Deployment"))
	client := w.dynamic.Resource(deployments).Namespace(namespace)
	made, err := client.Create(ctx, object, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.SetLabels(map[string]string{"app": "dynamic", "tier": "back"})
	if _, err = client.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	applied := object.DeepCopy()
	delete(applied.Object, "status")
	if _, err = client.Apply(ctx, "dynamic", applied, metav1.ApplyOptions{FieldManager: "dynamic", Force: true}); err != nil {
		return err
	}
	list, err := client.List(ctx, metav1.ListOptions{LabelSelector: "tier=back"})
	if err != nil {
		return err
	}
	err = client.Delete(ctx, "dynamic", metav1.DeleteOptions{})
	return attempt.First(attempt.Equal("listed", len(list.Items), 1), err)
}

func (w *world) metadataOnly(ctx context.Context) error {
	client, err := metadata.NewForConfig(w.config)
	if err != nil {
		return err
	}
	list, err := client.Resource(configMaps).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	whole, err := w.typed.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	return attempt.First(
		attempt.Equal("listed", len(list.Items), len(whole.Items)),
		attempt.Equal("the kind", list.Items[0].Kind, "PartialObjectMetadata"),
	)
}

func (w *world) discovery(ctx context.Context) error {
	groups, err := restmapper.GetAPIGroupResources(w.typed.Discovery())
	if err != nil {
		return err
	}
	mapper := restmapper.NewDiscoveryRESTMapper(groups)
	lists, err := w.typed.Discovery().ServerPreferredResources()
	if err != nil {
		return err
	}
	mapped := 0
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return err
		}
		for _, one := range list.APIResources {
			mapping, err := mapper.RESTMapping(version.WithKind(one.Kind).GroupKind(), version.Version)
			if err != nil {
				return err
			}
			if err = attempt.Equal("the resource of "+one.Kind, mapping.Resource.Resource, one.Name); err != nil {
				return err
			}
			mapped++
		}
	}
	return attempt.Equal("more than 20 kinds", mapped > 20, true)
}

func (w *world) pages(ctx context.Context) error {
	labels := map[string]string{"paged": "yes"}
	for page := range 7 {
		object := configMap(fmt.Sprintf("paged-%d", page), labels)
		if _, err := w.typed.CoreV1().ConfigMaps(namespace).Create(ctx, object, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	reader := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return w.typed.CoreV1().ConfigMaps(namespace).List(ctx, options)
	})
	reader.PageSize = 3
	seen := 0
	err := reader.EachListItem(ctx, metav1.ListOptions{LabelSelector: "paged=yes"}, func(runtime.Object) error {
		seen++
		return nil
	})
	return attempt.First(err, attempt.Equal("items", seen, 7), attempt.Equal("pages", len(w.asked.with("limit=3")), 3))
}

func (w *world) accessReview(ctx context.Context) error {
	review := &authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "create", Resource: "pods", Namespace: namespace},
		},
	}
	answer, err := w.typed.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return attempt.Equal("allowed", answer.Status.Allowed, true)
}
