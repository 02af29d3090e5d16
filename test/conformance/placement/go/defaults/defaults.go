// Package defaults is what kube-scheduler does where nothing else is said.
package defaults

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// What lib/placement does not have.
var leftOut = sets.New(
	names.VolumeRestrictions, names.NodeVolumeLimits, names.VolumeBinding, names.VolumeZone,
	names.DynamicResources, names.DefaultPreemption,
)

// Profile is the default one, without the plugins that lib/placement does not have.
func Profile() (*config.KubeSchedulerProfile, error) {
	defaults, err := latest.Default()
	if err != nil {
		return nil, err
	}
	profile := &defaults.Profiles[0]
	enabled := &profile.Plugins.MultiPoint.Enabled
	*enabled = slices.DeleteFunc(*enabled, func(plugin config.Plugin) bool { return leftOut.Has(plugin.Name) })
	return profile, nil
}
