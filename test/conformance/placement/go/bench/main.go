// A peer of `npm run bench -- placement`: kube-scheduler's own scheduling of one pod after the other. It answers the
// command of test/bench/peers/protocol.ts, a line of JSON each.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/profile"

	"winnow/placement/defaults"
)

// Pods between two looks at the clock, which takes a part of what a pod takes.
const between = 10

type command struct {
	File         string `json:"file"`
	Milliseconds int    `json:"milliseconds"`
}

type cluster struct {
	Nodes []*v1.Node `json:"nodes"`
	Pods  []*v1.Pod  `json:"pods"`
	Asked []*v1.Pod  `json:"asked"`
}

type placed struct {
	Pods         int     `json:"pods"`
	Microseconds float64 `json:"microseconds"`
}

func main() {
	percentage := flag.Int("percentage", 0, "of the nodes that are looked at; 0 is the adaptive default")
	flag.Parse()
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	answers := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked command
		check(json.Unmarshal(lines.Bytes(), &asked))
		budget := time.Duration(asked.Milliseconds) * time.Millisecond
		check(answers.Encode(placeFor(budget, readCluster(asked.File), int32(*percentage))))
	}
}

// placeFor schedules in one new cluster after the other, until the time is over. What making one takes is not counted.
func placeFor(budget time.Duration, read cluster, percentage int32) placed {
	pods, took := 0, time.Duration(0)
	for took < budget {
		count, time := place(budget-took, read, percentage)
		pods += count
		took += time
	}
	return placed{Pods: pods, Microseconds: float64(took.Microseconds())}
}

// place schedules pods until they or the time are over, and assumes each where it goes.
func place(budget time.Duration, read cluster, percentage int32) (int, time.Duration) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	one := start(ctx, percentage)
	logger := klog.FromContext(ctx)
	for _, node := range read.Nodes {
		one.Cache.AddNode(logger, node)
	}
	for _, pod := range read.Pods {
		check(one.Cache.AddPod(logger, pod))
	}
	fwk := one.Profiles[v1.DefaultSchedulerName]
	began := cpu()
	count := 0
	for _, pod := range read.Asked {
		if count%between == between-1 && cpu()-began > budget {
			break
		}
		result, err := one.SchedulePod(ctx, fwk, framework.NewCycleState(), pod)
		check(err)
		assumed := pod.DeepCopy()
		assumed.Spec.NodeName = result.SuggestedHost
		check(one.Cache.AssumePod(logger, assumed))
		count++
	}
	return count, cpu() - began
}

func start(ctx context.Context, percentage int32) *scheduler.Scheduler {
	client := fake.NewClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	wanted, err := defaults.Profile()
	check(err)
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	one, err := scheduler.New(ctx, client, factory, nil, profile.NewRecorderFactory(broadcaster),
		scheduler.WithProfiles(*wanted),
		scheduler.WithParallelism(1),
		scheduler.WithPercentageOfNodesToScore(&percentage),
	)
	check(err)
	return one
}

func readCluster(file string) cluster {
	text, err := os.ReadFile(file)
	check(err)
	var read cluster
	check(json.Unmarshal(text, &read))
	return read
}

// cpu is the time that the process has had of all cores.
func cpu() time.Duration {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
