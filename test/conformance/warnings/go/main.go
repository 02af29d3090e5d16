// Answers which warnings Kubernetes sends about objects: a line of JSON for a line of JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/api/persistentvolume"
	"k8s.io/kubernetes/pkg/api/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/api/service"
	internalapps "k8s.io/kubernetes/pkg/apis/apps"
	internal "k8s.io/kubernetes/pkg/apis/core"

	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
)

const longestLine = 1 << 28

type question struct {
	Kind string          `json:"kind"`
	Body json.RawMessage `json:"body"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), longestLine)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	answers := json.NewEncoder(output)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		var asked question
		check(json.Unmarshal(lines.Bytes(), &asked))
		warnings := asked.warnings()
		if warnings == nil {
			warnings = []string{}
		}
		check(answers.Encode(warnings))
	}
	check(lines.Err())
}

func (asked question) warnings() []string {
	ctx := context.Background()
	switch asked.Kind {
	case "Pod":
		object := &internal.Pod{}
		asked.read(&core.Pod{}, object)
		return pod.GetWarningsForPod(ctx, object, nil)
	case "apps/DaemonSet":
		object := &internalapps.DaemonSet{}
		asked.read(&apps.DaemonSet{}, object)
		return pod.GetWarningsForPodTemplate(ctx, field.NewPath("spec", "template"), &object.Spec.Template, nil)
	case "Service":
		object := &internal.Service{}
		asked.read(&core.Service{}, object)
		return service.GetWarningsForService(object, nil)
	case "PersistentVolume":
		object := &internal.PersistentVolume{}
		asked.read(&core.PersistentVolume{}, object)
		return persistentvolume.GetWarningsForPersistentVolume(object)
	case "PersistentVolumeClaim":
		object := &internal.PersistentVolumeClaim{}
		asked.read(&core.PersistentVolumeClaim{}, object)
		return persistentvolumeclaim.GetWarningsForPersistentVolumeClaim(object)
	}
	panic(fmt.Sprintf("no kind %s", asked.Kind))
}

// read decodes the object and converts it, as kube-apiserver does before it judges it.
func (asked question) read(versioned, object any) {
	check(json.Unmarshal(asked.Body, versioned))
	check(legacyscheme.Scheme.Convert(versioned, object, nil))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
