// A peer of the benches: Kubernetes' own labels.Selector. It answers the commands of ../protocol.ts, a line of JSON
// each. For one event against many subscriptions it does what there is to do with it: ask each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"
)

const (
	entered uint32 = 0x9e3779b1
	changed uint32 = 0x85ebca6b
	left    uint32 = 0xc2b2ae35
)

type command struct {
	Do           string  `json:"do"`
	File         string  `json:"file"`
	Milliseconds float64 `json:"milliseconds"`
	Events       int     `json:"events"`
	By           string  `json:"by"`
}

type found struct {
	Matches int    `json:"matches"`
	Hash    uint32 `json:"hash"`
}

var (
	selectors []labels.Selector
	events    [][2]labels.Set
	current   questions
	// What the last run had found, by the number of events.
	checksum []found
)

func main() {
	answers := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked command
		check(json.Unmarshal(lines.Bytes(), &asked))
		check(answers.Encode(answer(asked)))
	}
}

func answer(asked command) any {
	budget := time.Duration(asked.Milliseconds * float64(time.Millisecond))
	switch asked.Do {
	case "build":
		return build(asked.File)
	case "events":
		events = events[:0]
		eachLine(asked.File, func(line []byte) {
			var event [2]labels.Set
			check(json.Unmarshal(line, &event))
			events = append(events, event)
		})
		runtime.GC()
		return map[string]int{"events": len(events)}
	case "warm", "run":
		return run(budget)
	case "found":
		return checksum[asked.Events]
	case "pairs":
		current = readPairs(asked.File)
		return map[string]int{"questions": current.count()}
	case "grid":
		current = readGrid(asked.File, asked.By)
		return map[string]int{"questions": current.count()}
	case "evaluate":
		return evaluate(current, budget)
	}
	panic(fmt.Sprintf("unknown command %s", asked.Do))
}

func build(file string) any {
	var texts []string
	eachLine(file, func(line []byte) {
		text, _, _ := strings.Cut(string(line), "\t")
		texts = append(texts, strings.Clone(text))
	})
	base := usedBytes()
	start := time.Now()
	selectors = make([]labels.Selector, 0, len(texts))
	for _, text := range texts {
		selectors = append(selectors, parse(text))
	}
	took := time.Since(start)
	used := usedBytes() - base
	runtime.KeepAlive(texts)
	return map[string]float64{"milliseconds": took.Seconds() * 1e3, "bytes": float64(used)}
}

func run(budget time.Duration) any {
	checksum = make([]found, 1, len(events)+1)
	start := time.Now()
	for _, event := range events {
		checksum = append(checksum, next(checksum[len(checksum)-1], event))
		if time.Since(start) > budget {
			break
		}
	}
	return map[string]int64{"events": int64(len(checksum) - 1), "nanoseconds": time.Since(start).Nanoseconds()}
}

func next(before found, event [2]labels.Set) found {
	hash := uint32(0)
	matches := 0
	for id, selector := range selectors {
		was, is := selector.Matches(event[0]), selector.Matches(event[1])
		if !was && !is {
			continue
		}
		matches++
		switch {
		case was && is:
			hash += uint32(id+1) * changed
		case is:
			hash += uint32(id+1) * entered
		default:
			hash += uint32(id+1) * left
		}
	}
	return found{before.Matches + matches, before.Hash*31 + hash}
}

func evaluate(asked questions, budget time.Duration) any {
	start := time.Now()
	passes, hits := 0, 0
	for time.Since(start) < budget {
		hits += asked.ask()
		passes++
	}
	took := float64(time.Since(start).Nanoseconds()) / float64(passes*asked.count())
	sum, matches := uint32(0), 0
	asked.visit(func(question int) {
		matches++
		sum += uint32(question + 1)
	})
	if hits != passes*matches {
		panic("a selector changed its mind")
	}
	return map[string]any{"nanoseconds": took, "matches": matches, "hash": sum * entered}
}

func parse(text string) labels.Selector {
	selector, err := labels.Parse(text)
	check(err)
	return selector
}

func usedBytes() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func eachLine(name string, visit func([]byte)) {
	file, err := os.Open(name)
	check(err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	for lines.Scan() {
		visit(lines.Bytes())
	}
	check(lines.Err())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
