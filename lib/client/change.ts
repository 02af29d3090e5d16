import type { KubernetesObject } from './kubernetes-object.ts';
import type { Entry } from './store.ts';

/** What happened to the set that is shown. */
export type Change =
  | { readonly kind: 'add'; readonly object: KubernetesObject }
  | { readonly kind: 'update'; readonly object: KubernetesObject; readonly before: KubernetesObject }
  | { readonly kind: 'delete'; readonly object: KubernetesObject };

/**
 * What it is to the set when `after` takes the place of `before`; undefined where it is nothing. `left` is the last state
 * of an object that left, where that is known.
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

/** What it is to the set when one generation takes the place of another; both come by ascending keys. */
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

/** A resourceVersion is one state. The kind tells whether it is all of it, as the Subscription's `payload` says. */
function isSame({ object, before }: Extract<Change, { kind: 'update' }>): boolean {
  return object.metadata.resourceVersion === before.metadata.resourceVersion && object.kind === before.kind;
}

function parse(object: string): KubernetesObject {
  return JSON.parse(object);
}
