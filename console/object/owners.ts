import type { OwnerReference } from '../../lib/client/objects/index.ts';
import { ForbiddenError, NotFoundError } from '../../lib/client/objects/index.ts';
import { ask, findKind, kindIdOf, METADATA, objectPath, type Row } from '../api/index.ts';
import { route } from '../route/index.ts';

/** An object in the tree of owners. */
export interface Relative {
  /** The name of the kind in objects. */
  readonly kind: string;
  /** The id of the kind; empty if Winnow does not serve it. */
  readonly kindId: string;
  readonly namespace: string;
  readonly name: string;
  /** `asked`: it is being read. `gone`: the owner does not exist any more. `unknown`: the user may not see it. */
  readonly state: 'asked' | 'here' | 'gone' | 'unknown';
}

type Metadata = Row['metadata'];
type Show = (owners: readonly Relative[]) => void;

/** The most levels of owners that are read. */
const MOST_LEVELS = 5;
/** The page keeps the metadata of this many owners. */
const MOST_KEPT = 200;

/** The owners that were read, by {@link userKey}. Their own owners are asked at once, and not after them. */
const known = new Map<string, Metadata>();

/** The key of a question about objects with a uid, as the present user sees them. */
function userKey(...parts: readonly unknown[]): string {
  const { as, groups } = route.value;
  return JSON.stringify([as, groups, ...parts]);
}

/** The key of the question for the owners of an object. */
export function ownersKey({ uid, ownerReferences }: Metadata): string {
  return userKey(uid, ownerReferences);
}

/**
 * Reads the owners of an object, the one at the top first. It shows the names that it knows before it has read them. Only
 * the controlling owner of each level is followed upwards.
 */
export async function readOwners(
  { ownerReferences = [], namespace = '' }: Metadata,
  signal: AbortSignal,
  show: Show,
  levels = MOST_LEVELS,
): Promise<readonly Relative[]> {
  if (levels === 0 || ownerReferences.length === 0) return [];
  const sorted = [...ownerReferences].sort(
    (one, other) => Number(other.controller === true) - Number(one.controller === true),
  );
  let own = sorted.map((reference) => relativeOf(reference, namespace));
  let above: readonly Relative[] = [];
  let climb = 0;
  const all = () => [...above, ...own.toReversed()];
  const tell = () => show(all());
  const ownersOf = (owner: Metadata) => {
    climb += 1;
    const mine = climb;
    const showAbove: Show = (found) => {
      if (mine !== climb) return;
      above = found;
      tell();
    };
    return readOwners(owner, signal, showAbove, levels - 1);
  };
  const key = userKey(sorted[0]?.uid);
  const before = known.get(key);
  const early = before && ownersOf(before);
  // If the owner has changed, this answer is not awaited.
  early?.catch(() => {});
  tell();
  const read = await Promise.all(own.map((relative, at) => readOwner(relative, sorted[at]?.uid, signal)));
  own = read.map(({ relative }) => relative);
  const now = read[0]?.metadata;
  if (now === undefined) {
    known.delete(key);
    above = [];
  } else {
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, now);
    const isSame = JSON.stringify(before?.ownerReferences) === JSON.stringify(now.ownerReferences);
    tell();
    above = await (early && isSame ? early : ownersOf(now));
  }
  climb = 0;
  return all();
}

function relativeOf({ apiVersion, kind, name }: Readonly<OwnerReference>, inside: string): Relative {
  const kindId = kindIdOf(apiVersion, kind);
  const info = kindId === '' ? undefined : findKind(kindId);
  const namespace = info?.namespaced ? inside : '';
  return { kind, kindId, namespace, name, state: info === undefined ? 'unknown' : 'asked' };
}

interface ReadOwner {
  readonly relative: Relative;
  readonly metadata?: Metadata;
}

async function readOwner(
  relative: Relative,
  uid: string | undefined,
  signal: AbortSignal,
): Promise<ReadOwner> {
  const info = findKind(relative.kindId);
  if (info === undefined || relative.state === 'unknown') return { relative };
  const being = (state: Relative['state']) => ({ relative: { ...relative, state } });
  try {
    const { metadata } = await ask<Pick<Row, 'metadata'>>(objectPath(info, relative), {
      accept: METADATA,
      signal,
    });
    return metadata.uid === uid ? { ...being('here'), metadata } : being('gone');
  } catch (error) {
    if (error instanceof NotFoundError) return being('gone');
    if (error instanceof ForbiddenError) return being('unknown');
    throw error;
  }
}
