import type { Survivors } from './survivors.ts';

/** Of lib/store. */
export const STORE: readonly Survivors[] = [
  {
    why: 'Who reads has an entry of its own from the first request on, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/store/tables/batching-table.ts readAll default dropped: gathering.get(signal) ?? [] → gathering.get(signal)',
      'lib/store/tables/batching-table.ts readAll default dropped: gathering.get(signal) ?? [] → gathering.get(signal) #2',
    ],
  },
  {
    why: 'JSON has no value that is undefined, and both have the place, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/json/merge-patch.ts jsonEquals default dropped: right[index] ?? null → right[index]',
      'lib/json/merge-patch.ts jsonEquals default dropped: left[key] ?? null → left[key]',
      'lib/json/merge-patch.ts jsonEquals default dropped: right[key] ?? null → right[key]',
    ],
  },
  {
    why: 'The one ends in `!`, the other in `~`: they are never equal.',
    mutants: ['lib/store/owners/gc-tasks.ts dueGcTasks boundary: from > to → >='],
  },
  {
    why: 'Where the two are equal an empty stretch is read, which asks the table for nothing and adds nothing.',
    mutants: [
      'lib/store/journal-tail.ts JournalTail.cover boundary: above < view.after → <=',
      'lib/store/journal-tail.ts JournalTail.#next boundary: after > this.#view.upTo → >=',
      'lib/store/journal-tail.ts JournalTail.#reach boundary: upTo <= known.upTo → <',
      'lib/store/journal-tail.ts JournalTail.#start boundary: after > compacted → >=',
    ],
  },
  {
    why: 'One millisecond of a bound that has seconds to spare.',
    mutants: [
      'lib/store/journal-tail.ts JournalTail.#start boundary: entry.time < young → <=',
      'lib/store/journal-tail.ts JournalTail.#trim boundary: entry.time >= young → >',
    ],
  },
  {
    why: 'One byte of a bound of 390,000 or more.',
    mutants: [
      'lib/store/journal-tail.ts JournalTail.#trim boundary: bytes <= MOST_BYTES → <',
      'lib/store/object-limits.ts refuseLarge boundary: excess <= 0 → <',
      'lib/store/write-plan.ts refuseManyLabels boundary: bytes > MOST_LABEL_ENTRY_BYTES → >=',
    ],
  },
  {
    why: 'It is looked at only where the head is another than that of what is kept.',
    mutants: [
      'lib/store/snapshot-cache.ts SnapshotCache.upTo boundary: behind > 0 → >=',
      'lib/store/snapshot-cache.ts SnapshotCache.upTo boundary: behind < 0 → <=',
    ],
  },
  {
    why: 'What there is at one resourceVersion is the same, whoever read it.',
    mutants: ['lib/store/snapshot-cache.ts SnapshotCache.upTo boundary: next.rv > this.#last.rv → >='],
  },
  {
    why: 'A copy of the same entries.',
    mutants: [
      'lib/store/journal-tail.ts JournalTail.#trim early end dropped: if (forget === 0) return view;',
    ],
  },
  {
    why: 'The limit that follows is never below it, so nothing more is refused: the values of the state before are counted for nothing.',
    mutants: [
      'lib/store/object-limits.ts refuseMoreValues boundary: values <= MOST_VALUES → <',
      'lib/store/object-limits.ts refuseMoreValues early end dropped: if (values <= MOST_VALUES) return;',
    ],
  },
  {
    why: 'The store gives each write a deadline, so the default never stands; the type check asks for it.',
    mutants: ['lib/store/write.ts commit default dropped: table.deadline ?? [] → table.deadline'],
  },
  {
    why: 'Without a state before, the change is no MODIFIED, which decides already; the type check asks for the default.',
    mutants: ['lib/store/journal.ts draftEntry default dropped: before?.labels ?? {} → before?.labels'],
  },
  {
    why: 'There are as many pages as shards, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/store/relabel-window.ts RelabelWindow.#readMore default dropped: pages[at] ?? {} → pages[at]',
    ],
  },
  {
    why: 'The entry where a shard ended is older than the window, which drops it, too.',
    mutants: ['lib/store/relabel-window.ts forget boundary: rv < from → <='],
  },
  {
    why: 'No two keys of an object are equal.',
    mutants: ['lib/store/journal.ts encodeLabels boundary: left < right → <='],
  },
  {
    why: 'Whoever asks has just seen that one is there, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/store/settle.ts givingUpBy.ageOf default dropped: gaps.get(rv) ?? options.clock.now() → gaps.get(rv)',
    ],
  },
  {
    why: 'A union of one value gives what the value gives; the type check asks for the look.',
    mutants: ['lib/store/list/union-stream.ts unionOf negated: streams[0] !== undefined → ==='],
  },
  {
    why: 'There is an index for every slot, so the error never comes; the type check asks for it.',
    mutants: [
      `lib/store/labels/label-entries.ts indexOf early end dropped: if (index === undefined) throw new Error(\`there is no slot \${place}\`);`,
      `lib/store/labels/label-rows.ts slotAttribute early end dropped: if (index === undefined) throw new Error(\`there is no slot \${slot}\`);`,
    ],
  },
  {
    why: 'The slots are read once more, or after the head instead of beside it: only time is lost.',
    mutants: [
      'lib/store/labels/label-slots.ts LabelSlots.find steps swapped: if (!this.#isRead) await this.#read(table); ⇄ if (this.#unplaced(keys). … t this.#read(table); }',
      'lib/store/labels/label-slots.ts LabelSlots.#append default dropped: row ?? existing → row',
    ],
  },
  {
    why: 'The row only grows, so where two answers have as many keys these are the same.',
    mutants: [
      'lib/store/labels/label-slots.ts LabelSlots.#learn boundary: keys.length > this.#keys.length → >=',
    ],
  },
  {
    why: 'No two candidates of a stream have one name.',
    mutants: [
      'lib/store/list/sorted-stream.ts SortedStream.constructor boundary: left.nameKey < right.nameKey → <=',
    ],
  },
  {
    why: 'Behind the last candidate there is none: either comparison ends there.',
    mutants: [
      "lib/store/list/sorted-stream.ts SortedStream.waiting default dropped: this.#candidates[end]?.nameKey ?? '~' → this.#candidates[end]?.nameKey",
      "lib/store/list/sorted-stream.ts SortedStream.seek default dropped: this.#candidates[this.#position]?.nameKey ?? '~' → this.#candidates[this.#position]?.nameKey",
    ],
  },
  {
    why: 'Whoever opens a stream seeks where it begins before anything else, and so passes what stands before.',
    mutants: [
      'lib/store/list/values-stream.ts ValuesStream.#openSorted and/or: nameKey >= from && nameKey >= range.from → ||',
    ],
  },
  {
    why: 'Behind the last entry of a page there is none: either comparison ends there.',
    mutants: [
      "lib/store/list/index-stream.ts IndexStream.waiting default dropped: this.#page[at]?.nameKey ?? '~' → this.#page[at]?.nameKey",
      'lib/store/list/index-stream.ts IndexStream.seek boundary: this.#position < this.#page.length → <=',
    ],
  },
  {
    why: 'Where two are equal either is as good: the same names are found, and about as much is read.',
    mutants: [
      'lib/store/list/leapfrog.ts Leapfrog.constructor boundary: stream.reach > best.reach → >=',
      'lib/store/list/leapfrog.ts Leapfrog.#wantsSkip boundary: this.#driver.reach > last.nameKey → >=',
      'lib/store/list/leapfrog.ts Leapfrog.#skip boundary: name > far → >=',
      'lib/store/list/leapfrog.ts Leapfrog.#skip boundary: farthest > this.#driver.reach → >=',
      'lib/store/list/leapfrog.ts isSparser boundary: left.reach < right.reach → <=',
      'lib/store/list/leapfrog.ts isSparser boundary: left.waiting(end) * SPARSER < right.waiting(end) → <=',
    ],
  },
  {
    why: 'One miss of the thousand before a stream is asked that was not read yet.',
    mutants: [
      'lib/store/list/leapfrog.ts Leapfrog.#others boundary: this.#missed >= MISSES_BEFORE_OPENING → >',
    ],
  },
  {
    why: 'One stream alone has no others to ask: nothing is leaped over.',
    mutants: ['lib/store/list/leapfrog.ts Leapfrog.#wantsSkip boundary: this.#others().length > 0 → >='],
  },
  {
    why: 'A stretch begins where a namespace does or behind a name, and ends behind all of a namespace or with a name: no name is where it begins, nor where a namespace ends, and no beginning where a range ends.',
    mutants: [
      'lib/store/list/list-objects.ts listObjects boundary: last >= range.from → >',
      'lib/store/list/list-objects.ts listObjects boundary: from > range.to → >=',
      'lib/store/list/list-objects.ts lateNames boundary: name < from → <=',
      'lib/store/list/list-objects.ts namesOf boundary: name >= from → >',
      'lib/store/list/list-sources.ts sourceOf boundary: from > nameRange(namespace).to → >=',
      'lib/store/list/list-sources.ts matchingOnes boundary: nameKey >= from → >',
      'lib/store/list/list-sources.ts matchingOnes boundary: nameKey <= to → <',
      'lib/store/list/values-stream.ts ValuesStream.#openSorted boundary: nameKey >= range.from → >',
      'lib/store/list/values-stream.ts ValuesStream.#openSorted boundary: nameKey <= range.to → <',
    ],
  },
  {
    why: 'What is found is asked once more whether it matches: a body is decoded, or a row read, for nothing.',
    mutants: [
      'lib/store/list/list-objects.ts stateOfRow negated: !selector.isEmpty → selector.isEmpty',
      'lib/store/list/list-sources.ts IndexSource.#found and/or: !relabels.has(boundary) && candidate !== undefined && selector.matches(candidate.labels) → ||',
      'lib/store/list/list-sources.ts IndexSource.#found and/or: !relabels.has(boundary) && candidate !== undefined → ||',
    ],
  },
  {
    why: 'Requirements are read only where there are candidates, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/store/list/list-plan.ts PlanRecorder.plan default dropped: drivers?.includes(read.requirement) ?? false → drivers?.includes(read.requirement)',
    ],
  },
  {
    why: 'Either text stands for no requirement, and no requirement is spelled so.',
    mutants: [
      "lib/store/list/list-plan.ts PlanRecorder.from default dropped: read?.requirement ?? '' → read?.requirement",
    ],
  },
  {
    why: 'The same is made again out of what is remembered: only time is lost.',
    mutants: [
      'lib/store/list/overlay.ts Overlay.upTo early end dropped: if (known !== undefined && head <= known.upTo) return known;',
      'lib/store/list/overlay.ts Overlay.upTo boundary: head <= known.upTo → <',
      'lib/store/list/overlay.ts Overlay.touched default dropped: this.#touched ??= touchedStates(view, this.#at) → =',
      'lib/store/list/list-sources.ts IndexSource.next default dropped: this.#relabelled ??= await this.#readWindow(from) → =',
    ],
  },
  {
    why: 'One row of the 20,000 that are read before both limits double.',
    mutants: ['lib/store/list/list-sources.ts IndexSource.#scan boundary: this.#scanned >= this.#budget → >'],
  },
  {
    why: 'The entry at the seam is there twice, and says the same twice.',
    mutants: ['lib/store/list/overlay.ts joined boundary: entry.rv > view.upTo → >='],
  },
  {
    why: 'A union of no values has ended, and is not asked how far it reaches; the type check asks for it.',
    mutants: [
      "lib/store/list/union-stream.ts UnionStream.reach default dropped: (open.length === 0 ? reaches.at(-1) : reaches[0]) ?? '' → open.length === 0 ? reaches.at(-1) : reaches[0]",
    ],
  },
  {
    why: 'An object has one value of a label, so no two partitions of its key have its name.',
    mutants: ['lib/store/list/union-stream.ts UnionStream.seek boundary: next.nameKey < first.nameKey → <='],
  },
  {
    why: 'Either way is as good at the bound: what is kept is read back the same.',
    mutants: [
      'lib/store/body/body-codec.ts encodeBody boundary: text.length < WORTH_COMPRESSING → <=',
      'lib/store/body/body-codec.ts smaller boundary: compressed.byteLength < Buffer.byteLength(text) → <=',
    ],
  },
  {
    why: 'Where the two are equal either is the same name.',
    mutants: ['lib/store/list/list-sources.ts firstOf boundary: left < right → <='],
  },
  {
    why: 'Each is read for itself: only time is lost.',
    mutants: [
      'lib/store/store.ts openStore.prefetch in sequence: Promise.all([...heads].map((head) => snapshotOf(...head)))',
    ],
  },
  {
    why: 'One character of the 1,000 that a row copies: beyond, the carrier is read, which says the same.',
    mutants: [
      "lib/store/postings/posting-row.ts postingRow boundary: Object.values(texts ?? {}).join('').length <= MOST_TEXT → <",
    ],
  },
  {
    why: 'Where there is no choice, the one that there is is looked at for nothing: only time is lost.',
    mutants: [
      'lib/store/postings/anchoring-of.ts leastCrowded boundary: choices.length <= 1 → <',
      'lib/store/postings/anchoring-of.ts leastCrowded early end dropped: if (choices.length <= 1) return first;',
    ],
  },
  {
    why: 'Each is asked for itself: only time is lost.',
    mutants: [
      'lib/store/postings/anchoring-of.ts leastCrowded in sequence: Promise.all(probed.map(([place]) => (place ? crowdOf(table, place) : 0)))',
      'lib/store/write.ts attemptWrite in sequence: Promise.all([assigned, room.anchoringOf(table, plan.anchors, carrier)])',
    ],
  },
  {
    why: 'What is looked for is always there, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/store/postings/anchoring-of.ts leastCrowded default dropped: probed[crowds.indexOf(Math.min(...crowds))] ?? first → probed[crowds.indexOf(Math.min(...crowds))]',
      "lib/store/postings/find-carriers.ts Gathering.settle default dropped: present?.uid ?? '' → present?.uid",
      'lib/store/postings/plan-postings.ts longestOf default dropped: choices[0] ?? [] → choices[0]',
    ],
  },
  {
    why: 'No two selectors that are found have one collection, name and path.',
    mutants: ['lib/store/postings/find-carriers.ts Gathering.result boundary: left < right → <='],
  },
  {
    why: 'Of two that are as long either is as long.',
    mutants: ['lib/store/postings/plan-postings.ts longestOf boundary: size(one) > size(longest) → >='],
  },
  {
    why: 'A selector that selects nothing has no rows, few or many.',
    mutants: [
      'lib/store/postings/plan-postings.ts anchorsOf default dropped: choices[0]?.length ?? 0 → choices[0]?.length',
    ],
  },
];
