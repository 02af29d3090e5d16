import type { Asked, History } from '../history.ts';
import { queuedSpells } from './queued-spells.ts';
import { type Sighting, sightingsOf } from './sightings.ts';
import type { QueuedSpell, WatchedSpell } from './spells.ts';
import { type Transition, transitionsOf } from './transitions.ts';
import { reconstruct, type Truth } from './truth.ts';
import { watchedSpells } from './watched-spells.ts';

/** One history, and the values that every check derives from it, computed once. */
export class Run {
  readonly history: History;
  readonly sightings: readonly Sighting[];
  readonly truth: Truth;
  /** The spells of each watch, and of each subscription, in the history's order. */
  readonly watches: readonly (readonly WatchedSpell[])[];
  readonly queues: readonly (readonly QueuedSpell[])[];
  readonly #transitions = new Map<string, readonly Transition[]>();

  constructor(history: History) {
    this.history = history;
    this.sightings = sightingsOf(history);
    this.truth = reconstruct(history, this.sightings);
    this.watches = history.watches.map(watchedSpells);
    this.queues = history.subscriptions.map((record) => queuedSpells(record, history));
  }

  get watched(): readonly WatchedSpell[] {
    return this.watches.flat();
  }

  get queued(): readonly QueuedSpell[] {
    return this.queues.flat();
  }

  /** All transitions that a reader with this request has to receive, ascending by resourceVersion. */
  transitions(asked: Asked): readonly Transition[] {
    const { namespace, namespaces, labelSelector, fieldSelector, anyOf } = asked;
    const key = JSON.stringify([namespace, namespaces, labelSelector, fieldSelector, anyOf]);
    const known = this.#transitions.get(key) ?? transitionsOf(this.truth, asked);
    this.#transitions.set(key, known);
    return known;
  }
}
