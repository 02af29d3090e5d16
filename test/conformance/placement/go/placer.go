package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"winnow/placement/defaults"
)

// placers are the frameworks that were made, by their profile.
type placers struct {
	made map[string]*placer
}

type placer struct {
	framework framework.Framework
	factory   informers.SharedInformerFactory
	lister    *lister
}

func newPlacers() *placers {
	metrics.Register()
	return &placers{made: map[string]*placer{}}
}

func (p *placers) of(asked profile) *placer {
	key, err := json.Marshal(asked)
	check(err)
	if p.made[string(key)] == nil {
		p.made[string(key)] = newPlacer(asked)
	}
	return p.made[string(key)]
}

func newPlacer(asked profile) *placer {
	client := fake.NewClientset()
	one := &placer{factory: informers.NewSharedInformerFactory(client, 0), lister: &lister{}}
	made, err := runtime.NewFramework(context.Background(), plugins.NewInTreeRegistry(), profileOf(asked),
		runtime.WithClientSet(client),
		runtime.WithInformerFactory(one.factory),
		runtime.WithSnapshotSharedLister(one.lister),
		runtime.WithParallelism(1),
	)
	check(err)
	one.framework = made
	return one
}

func profileOf(asked profile) *config.KubeSchedulerProfile {
	made, err := defaults.Profile()
	check(err)
	for _, given := range made.PluginConfig {
		switch args := given.Args.(type) {
		case *config.InterPodAffinityArgs:
			if asked.HardPodAffinityWeight != nil {
				args.HardPodAffinityWeight = *asked.HardPodAffinityWeight
			}
		case *config.NodeAffinityArgs:
			args.AddedAffinity = asked.AddedAffinity
		}
	}
	return made
}

func (p *placer) answer(asked question) []placement {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	snapshot, promised := fill(ctx, asked, p.factory)
	p.lister.Snapshot = snapshot
	p.framework.SetPodNominator(promised)
	answers := make([]placement, len(asked.Asked))
	for at, pod := range asked.Asked {
		answers[at] = p.place(ctx, pod)
	}
	return answers
}

// place does what the scheduler's schedulePod does, but looks at every node, and scores a single one as well.
func (p *placer) place(ctx context.Context, pod *v1.Pod) placement {
	answer := placement{Feasible: map[string]map[string]int64{}, Refused: map[string]refusal{}}
	if p.lister.NumNodes() == 0 {
		answer.Message = "no nodes available to schedule pods"
		return answer
	}
	state := framework.NewCycleState()
	feasible, diagnosis, err := p.filter(ctx, state, pod)
	if err != nil {
		answer.Error = err.Error()
		return answer
	}
	p.tellRefused(answer.Refused, feasible, diagnosis)
	if len(feasible) == 0 {
		answer.Message = (&framework.FitError{Pod: pod, NumAllNodes: p.lister.NumNodes(), Diagnosis: diagnosis}).Error()
		return answer
	}
	answer.Feasible, err = p.score(ctx, state, pod, feasible)
	if err != nil {
		answer.Error = err.Error()
	}
	return answer
}

// tellRefused leaves out nodes that nobody looked at, because one that was promised to the pod will do.
func (p *placer) tellRefused(refused map[string]refusal, feasible []*framework.NodeInfo, diagnosis framework.Diagnosis) {
	all, _ := p.lister.List()
	for _, node := range all {
		name := node.Node().Name
		status := diagnosis.NodeToStatus.Get(name)
		if status.Plugin() == "" || slices.Contains(feasible, node) {
			continue
		}
		reasons := slices.Clone(status.Reasons())
		sort.Strings(reasons)
		refused[name] = refusal{Rule: status.Plugin(), Reasons: reasons}
	}
}

func (p *placer) filter(ctx context.Context, state *framework.CycleState, pod *v1.Pod) ([]*framework.NodeInfo, framework.Diagnosis, error) {
	diagnosis := framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}
	chosen, status, rules := p.framework.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		if !status.IsRejected() {
			return nil, diagnosis, status.AsError()
		}
		diagnosis.NodeToStatus.SetAbsentNodesStatus(status)
		diagnosis.PreFilterMsg = status.Message()
		return nil, diagnosis, nil
	}
	if nominated, err := p.lister.Get(pod.Status.NominatedNodeName); err == nil {
		feasible, err := p.pass(ctx, state, pod, []*framework.NodeInfo{nominated}, diagnosis)
		if err != nil || len(feasible) > 0 {
			return feasible, diagnosis, err
		}
	}
	nodes, _ := p.lister.List()
	if !chosen.AllNodes() {
		nodes = slices.DeleteFunc(slices.Clone(nodes), func(node *framework.NodeInfo) bool {
			return !chosen.NodeNames.Has(node.Node().Name)
		})
		absent := fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(rules))
		diagnosis.NodeToStatus.SetAbsentNodesStatus(framework.NewStatus(framework.UnschedulableAndUnresolvable, absent).WithPlugin(sets.List(rules)[0]))
	}
	feasible, err := p.pass(ctx, state, pod, nodes, diagnosis)
	return feasible, diagnosis, err
}

func (p *placer) pass(ctx context.Context, state *framework.CycleState, pod *v1.Pod, nodes []*framework.NodeInfo, diagnosis framework.Diagnosis) ([]*framework.NodeInfo, error) {
	var feasible []*framework.NodeInfo
	for _, node := range nodes {
		status := p.framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, node)
		switch {
		case status.Code() == framework.Error:
			return nil, status.AsError()
		case status.IsSuccess():
			feasible = append(feasible, node)
		default:
			diagnosis.NodeToStatus.Set(node.Node().Name, status)
		}
	}
	return feasible, nil
}

func (p *placer) score(ctx context.Context, state *framework.CycleState, pod *v1.Pod, nodes []*framework.NodeInfo) (map[string]map[string]int64, error) {
	if status := p.framework.RunPreScorePlugins(ctx, state, pod, nodes); !status.IsSuccess() {
		return nil, status.AsError()
	}
	scored, status := p.framework.RunScorePlugins(ctx, state, pod, nodes)
	if !status.IsSuccess() {
		return nil, status.AsError()
	}
	byNode := make(map[string]map[string]int64, len(scored))
	for _, node := range scored {
		byNode[node.Name] = make(map[string]int64, len(node.Scores))
		for _, rule := range node.Scores {
			byNode[node.Name][rule.Name] = rule.Score
		}
	}
	return byNode, nil
}
