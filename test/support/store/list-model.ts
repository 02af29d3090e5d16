import type { Selector } from '../../../lib/selectors/index.ts';
import { type ListRequest, nameKey, type ObjectState, type WriteOutcome } from '../../../lib/store/index.ts';

/** A naive collection: every state of every object, and LIST by looking at all of them. */
export class ListModel {
  readonly #changes: { rv: number; key: string; state: ObjectState | undefined }[] = [];

  /** Remembers a write that stands. */
  add({ kind, after }: WriteOutcome): void {
    if (kind === 'none' || after === undefined) return;
    this.#changes.push({ rv: after.rv, key: nameKey(after.name), state: kind === 'put' ? after : undefined });
    this.#changes.sort((left, right) => left.rv - right.rv);
  }

  /** The objects at `rv` that match, in the order of their names. */
  list(rv: number, request: ListRequest): ObjectState[] {
    const states = new Map<string, ObjectState | undefined>();
    for (const change of this.#changes) if (change.rv <= rv) states.set(change.key, change.state);
    return [...states]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([, state]) => (state !== undefined && isWanted(state, request) ? [state] : []));
  }
}

function isWanted({ name, labels }: ObjectState, request: ListRequest): boolean {
  const selector: Selector = request.selector;
  return (
    (request.namespace === undefined || request.namespace === name.namespace) &&
    (request.name === undefined || request.name === name.name) &&
    selector.matches(labels)
  );
}
