import type { KubernetesObject } from './kubernetes-object.ts';
import type { Entry } from './store.ts';

/** A change of the shown set. */
export type Change =
  | { readonly kind: 'add'; readonly object: KubernetesObject }
  | { readonly kind: 'update'; readonly object: KubernetesObject; readonly before: KubernetesObject }
  | { readonly kind: 'delete'; readonly object: KubernetesObject };

/**
 * Returns the change of the set when `after` replaces `before`; undefined if nothing changes. `left` is the last
 * state of an object that left, if it is known.
 */
export function changeOf(
  before: Entry | undefined,
  after: Entry | undefined,
  left?: KubernetesObject,
): Change | undefined {
  const was = before?.object;
  const is = after?.object;
  if (is === undefined) return was === undefined ? undefined : { kind: 'delete', object: left ?? parse(was) };
  if (was === undefined) return { kind: 'add', object: parse(is) };
  const change: Change = { kind: 'update', object: parse(is), before: parse(was) };
  return isSame(change) ? undefined : change;
}

/** Yields the changes when one generation replaces another. Both must be sorted by key. */
export async function* changesBetween(
  before: AsyncIterable<Entry>,
  after: AsyncIterable<Entry>,
): AsyncGenerator<Change> {
  const [old, fresh] = [before[Symbol.asyncIterator](), after[Symbol.asyncIterator]()];
  let [was, is] = [await old.next(), await fresh.next()];
  while (!was.done || !is.done) {
    const isOld = !was.done && (is.done || was.value.key <= is.value.key);
    const isFresh = !is.done && (was.done || is.value.key <= was.value.key);
    const change = changeOf(isOld ? was.value : undefined, isFresh ? is.value : undefined);
    if (change !== undefined) yield change;
    if (isOld) was = await old.next();
    if (isFresh) is = await fresh.next();
  }
}

/**
 * Whether an update changes nothing. Equal resourceVersions mean the same state. The kind shows whether the object is
 * whole, which depends on the Subscription's `payload`.
 */
function isSame({ object, before }: Extract<Change, { kind: 'update' }>): boolean {
  return object.metadata.resourceVersion === before.metadata.resourceVersion && object.kind === before.kind;
}

function parse(object: string): KubernetesObject {
  return JSON.parse(object);
}
