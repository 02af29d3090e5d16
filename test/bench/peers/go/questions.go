package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/labels"
)

// questions can be asked over and over.
type questions interface {
	count() int
	// ask asks them all and returns how many matched.
	ask() int
	// visit calls for each that matches, by its number from 0.
	visit(match func(question int))
}

type pair struct {
	selector labels.Selector
	labels   labels.Set
}

type pairs []pair

func readPairs(file string) pairs {
	var all pairs
	eachLine(file, func(line []byte) {
		var parts [3]json.RawMessage
		var text string
		var set labels.Set
		check(json.Unmarshal(line, &parts))
		check(json.Unmarshal(parts[0], &text))
		check(json.Unmarshal(parts[2], &set))
		all = append(all, pair{parse(text), set})
	})
	return all
}

func (all pairs) count() int {
	return len(all)
}

func (all pairs) ask() int {
	hits := 0
	for at := range all {
		if all[at].selector.Matches(all[at].labels) {
			hits++
		}
	}
	return hits
}

func (all pairs) visit(match func(int)) {
	for at := range all {
		if all[at].selector.Matches(all[at].labels) {
			match(at)
		}
	}
}

// grid asks each selector of each label set, by the number selector * sets + set.
type grid struct {
	selectors []labels.Selector
	sets      []labels.Set
	// The indexes of what one selector, or one label set, found.
	found []int32
}

func readGrid(file string, by string) questions {
	var read grid
	eachLine(file, func(line []byte) {
		var one struct {
			Selector *string    `json:"selector"`
			Labels   labels.Set `json:"labels"`
		}
		check(json.Unmarshal(line, &one))
		if one.Selector != nil {
			read.selectors = append(read.selectors, parse(*one.Selector))
		} else {
			read.sets = append(read.sets, one.Labels)
		}
	})
	read.found = make([]int32, max(len(read.selectors), len(read.sets)))
	if by == "list" {
		return &list{read}
	}
	return &dispatch{read}
}

func (all *grid) count() int {
	return len(all.selectors) * len(all.sets)
}

type list struct{ grid }

func (all *list) selectSets(selector labels.Selector) int {
	count := 0
	for at, set := range all.sets {
		if selector.Matches(set) {
			all.found[count] = int32(at)
			count++
		}
	}
	return count
}

func (all *list) ask() int {
	hits := 0
	for _, selector := range all.selectors {
		hits += all.selectSets(selector)
	}
	return hits
}

func (all *list) visit(match func(int)) {
	for at, selector := range all.selectors {
		for _, set := range all.found[:all.selectSets(selector)] {
			match(at*len(all.sets) + int(set))
		}
	}
}

type dispatch struct{ grid }

func (all *dispatch) selectSelectors(set labels.Set) int {
	count := 0
	for at, selector := range all.selectors {
		if selector.Matches(set) {
			all.found[count] = int32(at)
			count++
		}
	}
	return count
}

func (all *dispatch) ask() int {
	hits := 0
	for _, set := range all.sets {
		hits += all.selectSelectors(set)
	}
	return hits
}

func (all *dispatch) visit(match func(int)) {
	for at, set := range all.sets {
		for _, selector := range all.found[:all.selectSelectors(set)] {
			match(int(selector)*len(all.sets) + at)
		}
	}
}
