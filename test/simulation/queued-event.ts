import { type JsonObject, objectAt } from '../../lib/json/index.ts';
import type { Snapshot, WatchedEvent } from './history.ts';

interface Body {
  readonly type: WatchedEvent['type'];
  readonly object: JsonObject;
}

/** Parses the event in a message of a queue. `snapshotOf` reads an object as the writers of this run write it. */
export function queuedEvent(
  at: number,
  { type, object }: Body,
  snapshotOf: (object: JsonObject) => Snapshot,
): WatchedEvent {
  const { resourceVersion, annotations } = objectAt(object.metadata);
  if (type === 'BOOKMARK') {
    const { 'k8s.io/initial-events-end': initial, 'winnow.dev/generation': generation } =
      objectAt(annotations);
    const ends = initial === 'true' ? 'snapshot' : 'edit';
    return { at, type, rv: Number(resourceVersion), ends, generation: Number(generation) };
  }
  if (type === 'ERROR') return { at, type, reason: 'gone' };
  return { at, type, object: snapshotOf(object) };
}
