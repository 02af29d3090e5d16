package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/filters"
)

type write struct {
	User      person          `json:"user"`
	Operation string          `json:"operation"`
	Kind      servedKind      `json:"kind"`
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject"`
	Options   json.RawMessage `json:"options"`
	DryRun    bool            `json:"dryRun"`
}

type person struct {
	Name   string              `json:"username"`
	UID    string              `json:"uid"`
	Groups []string            `json:"groups"`
	Extra  map[string][]string `json:"extra"`
}

// A status of null admits the write.
type verdict struct {
	Status      *metav1.Status    `json:"status"`
	Warnings    []string          `json:"warnings"`
	Annotations map[string]string `json:"annotations"`
}

// A dispatcher of policies as the admission chain calls it.
type plugin struct {
	*admission.Handler
	dispatcher generic.Dispatcher[validating.PolicyHook]
	hooks      []validating.PolicyHook
}

func (p plugin) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	return p.dispatcher.Dispatch(ctx, a, o, p.hooks)
}

func (w write) decide(
	dispatcher generic.Dispatcher[validating.PolicyHook],
	interfaces interfaces,
	hooks []validating.PolicyHook,
) verdict {
	var said verdict
	handler := admission.NewHandler(admission.Create, admission.Update, admission.Delete, admission.Connect)
	chain := admission.WithAudit(plugin{handler, dispatcher, hooks}).(admission.ValidationInterface)
	asked := http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		ctx := request.Context()
		err := chain.Validate(ctx, w.attributes(), interfaces.of(w.Kind.gvk()))
		said.Status = statusOf(err)
		said.Annotations = audit.AuditEventFrom(ctx).Annotations
	})
	request := httptest.NewRequest(http.MethodPost, "/", nil)
	answered := httptest.NewRecorder()
	ctx := audit.WithAuditContext(request.Context())
	audit.AuditEventFrom(ctx).Level = auditinternal.LevelMetadata
	filters.WithWarningRecorder(asked).ServeHTTP(answered, request.WithContext(ctx))
	said.Warnings = append([]string{}, answered.Header().Values("Warning")...)
	return said
}

func statusOf(err error) *metav1.Status {
	if err == nil {
		return nil
	}
	var known apierrors.APIStatus
	if !errors.As(err, &known) {
		known = apierrors.NewInternalError(err)
	}
	status := known.Status()
	return &status
}

func (w write) attributes() admission.Attributes {
	kind := w.Kind
	return admission.NewAttributesRecord(
		decode(w.Object, kind.gvk()),
		decode(w.OldObject, kind.gvk()),
		kind.gvk(),
		w.Namespace,
		w.Name,
		kind.gvr(),
		kind.Subresource,
		admission.Operation(w.Operation),
		w.options(),
		w.DryRun,
		w.User.info(),
	)
}

func (w write) options() runtime.Object {
	var options runtime.Object
	switch admission.Operation(w.Operation) {
	case admission.Create:
		options = &metav1.CreateOptions{}
	case admission.Update:
		options = &metav1.UpdateOptions{}
	case admission.Delete:
		options = &metav1.DeleteOptions{}
	default:
		return nil
	}
	check(json.Unmarshal(w.Options, options))
	return options
}

func (p person) info() user.Info {
	return &user.DefaultInfo{Name: p.Name, UID: p.UID, Groups: p.Groups, Extra: p.Extra}
}
