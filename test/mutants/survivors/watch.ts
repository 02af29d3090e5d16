import type { Survivors } from './survivors.ts';

/** Of the store's watches, coordination, delivery and the controllers. */
export const WATCH: readonly Survivors[] = [
  {
    why: 'Each is written for itself: only time is lost.',
    mutants: [
      'lib/controllers/backfills/backfill-postings.ts sweepPage in sequence: mapBounded(items, AT_ONCE, (object) => a … tions, { collection, kind, object }))',
    ],
  },
  {
    why: 'Who writes asks once more, and writes nothing where nothing is selected: only time is lost.',
    mutants: [
      'lib/controllers/backfills/backfill-postings.ts anchor await dropped: await kind.selectsOf(object)',
    ],
  },
  {
    why: 'What has an end in a collection whose objects are protected is protected.',
    mutants: [
      'lib/controllers/collect/check-expiry.ts checkExpiry and/or: finalizer !== undefined && isProtected(collection, current.body) → ||',
    ],
  },
  {
    why: 'Who is to be told to forget has a queue.',
    mutants: [
      "lib/delivery/reconcile/catch-up.ts CatchUp.run steps swapped: if (this.state.queueUrl = … it this.#queue.make(); ⇄ if (this.state.step === ' … wait this.#sendGone();",
    ],
  },
  {
    why: 'Dispatch does not go by the generation: it is told in any order.',
    mutants: [
      'lib/delivery/reconcile/catch-up.ts CatchUp.#leaveToDispatch steps swapped: if (this.#isUntold || thi … store({ generation }); ⇄ if (this.state.membership … Again(this.#asking());',
    ],
  },
  {
    why: 'The marks only rise, and what is written between the two reads is young.',
    mutants: [
      'lib/controllers/reconcile/compaction.ts compact steps swapped: const { settled, compacte … atermarks(collection); ⇄ const head = await store.head(collection);',
    ],
  },
  {
    why: 'For an hour by then nobody could write of the kind, nor subscribe to it: all reads are of what stays.',
    mutants: [
      'lib/controllers/reconcile/definitions-due.ts forgetWhenOver steps swapped: const head = await store.head(collection); ⇄ const position = await le … (options, collection);',
      'lib/controllers/reconcile/definitions-due.ts forgetWhenOver steps swapped: const position = await le … (options, collection); ⇄ const { compacted } = awa … atermarks(collection);',
      "lib/controllers/reconcile/definitions-due.ts forgetWhenOver steps swapped: const states = await tabl … from: '!', to: '~' }); ⇄ const subscriptions = awa … store, SUBSCRIPTIONS);",
    ],
  },
  {
    why: 'The schedule takes longer, and no request waits for it.',
    mutants: [
      'lib/controllers/reconcile/tick.ts tick in sequence: mapBounded(written, AT_ONCE, (collection) => compact(options, collection))',
      'lib/controllers/reconcile/tick.ts readStands in sequence: mapBounded(collections, AT_ONCE, async ( …  => ({ ...group, rv, isMarked })); })',
      'lib/controllers/reconcile/tick.ts firstGcTasks in sequence: mapBounded(shards, AT_ONCE, async (shard … cTaskKey(task.key)?.due ?? now }]; })',
    ],
  },
  {
    why: 'Neither says anything of the other: what changes between the two reads is met a minute later.',
    mutants: [
      'lib/controllers/reconcile/tick.ts tick steps swapped: const subscribed = await  … ions, all, tallies }); ⇄ const namespaces = await  … ns.store, NAMESPACES);',
    ],
  },
  {
    why: 'Namespaces are read for nobody: nothing is asked for.',
    mutants: [
      'lib/delivery/reconcile/reconcile-labels.ts reconcileLabels early end dropped: if (selecting.length === 0) return;',
    ],
  },
  {
    why: 'What was refused comes with a reason, so the default never stands; the type check asks for it.',
    mutants: [
      "lib/delivery/reconcile/progress.ts Progress.send default dropped: sent.message ?? '' → sent.message",
    ],
  },
  {
    why: 'No two of them have one name.',
    mutants: [
      'lib/delivery/reconcile/send-difference.ts differences boundary: nameKey(left.object.name) < nameKey(right.object.name) → <=',
    ],
  },
  {
    why: 'The key of a GC task says when it is due, so the default is never used; the type check asks for it.',
    mutants: [
      'lib/controllers/reconcile/tick.ts firstGcTasks default dropped: parseGcTaskKey(task.key)?.due ?? now → parseGcTaskKey(task.key)?.due',
    ],
  },
  {
    why: 'A reason is grouped by only where it is one, so the default never stands; the type check asks for it.',
    mutants: ['lib/controllers/reconcile/tick.ts logWaiting default dropped: all?.length ?? 0 → all?.length'],
  },
  {
    why: 'Only a state that there is was refused, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/delivery/reconcile/why-waiting.ts isUnderWay default dropped: state?.nextAttempt ?? 0 → state?.nextAttempt',
    ],
  },
  {
    why: 'No number is not above a bound either; the type check asks for the default.',
    mutants: ['lib/coordination/hints.ts createHints.offer default dropped: hint.hops ?? 0 → hint.hops'],
  },
  {
    why: 'Selectors that are wrong are told as such and as nothing else; what else came would have no list of errors, and fail as well.',
    mutants: [
      'lib/kubernetes/winnow/read-namespaces.ts readSelector early end dropped: if (!(error instanceof SelectorError)) throw error;',
      'lib/kubernetes/winnow/parsed-selector.ts parsed early end dropped: if (!(error instanceof SelectorError)) throw error;',
    ],
  },
  {
    why: 'Where nothing is chosen an error is noted, so that no spec is made; the type check asks for the default.',
    mutants: ['lib/kubernetes/winnow/subscription.ts oneOf default dropped: chosen ?? choices[0] → chosen'],
  },
  {
    why: 'Whoever has labels has a state, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/delivery/dispatch/subscription-index.ts SubscriptionIndex.#matchState.readField default dropped: state()?.body ?? {} → state()?.body',
    ],
  },
  {
    why: 'Reconcile is told again of a change that it was told of, or will be: SQS drops one of the two.',
    mutants: [
      'lib/delivery/dispatch/run-round.ts runRound and/or: rv > cursor && rv <= reached → ||',
      'lib/delivery/dispatch/run-round.ts runRound boundary: rv > cursor → >=',
    ],
  },
  {
    why: 'A queue that is gone says so, so the default never stands; the type check asks for it.',
    mutants: ["lib/delivery/dispatch/run-round.ts advance default dropped: message ?? '' → message"],
  },
  {
    why: 'Where the two are equal either is the same number.',
    mutants: ['lib/coordination/send.ts bytesAtOnce boundary: bytes >= MOST_BYTES → >'],
  },
  {
    why: 'Each is of other subscriptions, and all is stored before the cursor moves.',
    mutants: [
      'lib/delivery/dispatch/run-round.ts runRound steps swapped: await letGoOf(turn, wanted, position); ⇄ await mapBounded(far, QUE … n: state.position }));',
    ],
  },
  {
    why: 'The name of a turn is longer than the uid that it begins with: the two are never equal.',
    mutants: ['lib/delivery/dispatch/next-to-activate.ts nextToActivate boundary: uid <= admitting → <'],
  },
  {
    why: 'What is not there equals no names either; the type check asks for the default.',
    mutants: [
      'lib/controllers/reconcile/definitions-due.ts awaitsNames default dropped: objectAt(spec).names ?? {} → objectAt(spec).names',
      'lib/controllers/reconcile/definitions-due.ts awaitsNames default dropped: objectAt(status).acceptedNames ?? {} → objectAt(status).acceptedNames',
    ],
  },
  {
    why: 'Both of what is compared are turned: they differ where they did.',
    mutants: ['lib/kubernetes/winnow/subscription.ts immutableErrors.fixed negated: verify === true → !=='],
  },
  {
    why: 'The same is made again out of what is remembered: only time is lost.',
    mutants: [
      'lib/delivery/tallies/tally.ts effectOf early end dropped: if (known !== undefined) return known;',
    ],
  },
  {
    why: 'There is one tally before all messages, and one behind each, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/delivery/tallies/with-tallies.ts withDigests default dropped: tallies.at(-1) ?? tally → tallies.at(-1)',
      'lib/delivery/tallies/with-tallies.ts withDigests.after default dropped: tallies[accepted] ?? tally → tallies[accepted]',
    ],
  },
  {
    why: 'To send nothing asks the queue for nothing.',
    mutants: ['lib/delivery/dispatch/gather-events.ts hasNews boundary: events.length > 0 → >='],
  },
  {
    why: 'A local server begins somewhat later: nobody else is at work on its table yet.',
    mutants: [
      'lib/delivery/take-over.ts takeOver in sequence: mapBounded(options.collections, AT_ONCE, … await beginAnew(table, state); }); })',
      "lib/delivery/take-over.ts takeOver in sequence: mapBounded(states, AT_ONCE, async (state … '') await beginAnew(table, state); })",
    ],
  },
  {
    why: 'The two change other attributes of the row.',
    mutants: [
      "lib/delivery/take-over.ts takeOver steps swapped: if ('leaseHolder' in stat … ble, stateKey(state)); ⇄ if (options.queuesLost && … ginAnew(table, state);",
    ],
  },
  {
    why: 'Where there is none no bookmark is told, be it 0 or nothing.',
    mutants: ['lib/store/watch/watches.ts watch default dropped: request.from ?? 0 → request.from'],
  },
  {
    why: 'One millisecond of a time that nobody counts on: the look at the head takes up to half a second.',
    mutants: [
      'lib/store/watch/watches.ts tell boundary: clock.now() < ends → <=',
      'lib/store/watch/watches.ts tell boundary: clock.now() - marked >= TIMING.watchBookmark → >',
      'lib/store/watch/watches.ts tell boundary: clock.now() - told >= TIMING.watchHeartbeat → >',
    ],
  },
  {
    why: 'Where the two are equal an empty stretch is read, which asks the table for nothing and adds nothing.',
    mutants: ['lib/store/watch/watches.ts tell boundary: head > progress.position → >='],
  },
  {
    why: 'What is compacted between the two is met by the first read, which ends the watch with GONE.',
    mutants: [
      'lib/store/watch/watches.ts createWatches.open steps swapped: const head = await store.head(collection); ⇄ if (request.from !== unde … ection, request.from);',
    ],
  },
];
