import type { History, Operation, Snapshot } from '../history.ts';
import { describeOperation } from './describe.ts';
import type { Sighting } from './sightings.ts';

/** One change of one object in the one true history. */
export interface Change {
  /** Its resourceVersion. For a deletion that no reader saw: the last that it can have. */
  readonly rv: number;
  /** The first resourceVersion that it can have: `rv`, unless it is a deletion that no reader saw. */
  readonly since: number;
  readonly object: string;
  readonly before: Snapshot | undefined;
  /** Undefined: deleted, or changed to a state that no reader ever saw. Readers cannot tell the two apart. */
  readonly after: Snapshot | undefined;
  readonly by: Operation | undefined;
}

/** A state, identified by the token that its writer gave it. */
export interface KnownState {
  readonly snapshot: Snapshot;
  readonly by: Operation | undefined;
  /** The virtual ms at which a client first saw it. */
  readonly seen: number;
}

/** The one history that explains all acknowledgements and observations. */
export interface Truth {
  /** Ascending by resourceVersion. */
  readonly changes: readonly Change[];
  /** By object, ascending. */
  readonly chains: ReadonlyMap<string, readonly Change[]>;
  /** By token. */
  readonly states: ReadonlyMap<string, KnownState>;
  /** By object: writes of unknown outcome whose state no reader ever saw. */
  readonly unseen: ReadonlyMap<string, readonly Operation[]>;
  /** Pairs of changes that claim one resourceVersion. */
  readonly clashes: readonly string[];
}

export interface StateAt {
  readonly state: Snapshot | undefined;
  /** The object may be deleted by then: no reader saw when its deletion was. */
  readonly doubtful: boolean;
}

interface Point {
  readonly rv: number;
  readonly object: string;
  /** The uid of the object that was changed or deleted. */
  readonly uid: string;
  readonly after: Snapshot | undefined;
  readonly by: Operation | undefined;
}

/**
 * Reconstructs the true history. Acknowledged writes are at the resourceVersions of their answers. Writes of unknown
 * outcome are where a client saw them. Deletions are where they were acknowledged or seen.
 */
export function reconstruct(history: History, sightings: readonly Sighting[]): Truth {
  const states = knownStates(history, sightings);
  const points = new Map<number, Point>();
  const clashes: string[] = [];
  const claim = (point: Point) => {
    const other = points.get(point.rv);
    if (other === undefined) {
      points.set(point.rv, point);
    } else {
      clashes.push(`@${point.rv}: ${describePoint(other)}, and ${describePoint(point)}`);
    }
  };
  for (const { snapshot, by } of states.values()) {
    claim({ rv: snapshot.rv, object: snapshot.object, uid: snapshot.uid, after: snapshot, by });
  }
  for (const point of acknowledgedDeletions(history, states)) claim(point);
  for (const { snapshot, as } of sightings) {
    const { rv, object, uid } = snapshot;
    const isKnown =
      as === 'state' || points.get(rv)?.object === object || states.get(snapshot.token)?.snapshot.rv === rv;
    if (!isKnown) claim({ rv, object, uid, after: undefined, by: undefined });
  }
  const chains = chainsOf(history, [...points.values()].sort(byVersion));
  const changes = [...chains.values()].flat().sort(byVersion);
  return { changes, chains, states, unseen: unseenWrites(history, states), clashes };
}

/** An object's state at a resourceVersion. */
export function stateAt(truth: Truth, object: string, rv: number): StateAt {
  const chain = truth.chains.get(object) ?? [];
  const next = firstAfter(chain, rv);
  const doubtful = (chain[next]?.since ?? Number.POSITIVE_INFINITY) <= rv;
  return { state: chain[next - 1]?.after, doubtful };
}

/** The place of the first change above a resourceVersion. */
export function firstAfter(changes: readonly { readonly rv: number }[], rv: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.rv ?? Number.POSITIVE_INFINITY) <= rv) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/**
 * The written states, by token. The content comes from the writer's request, the resourceVersion from the first
 * sighting.
 */
function knownStates({ operations }: History, sightings: readonly Sighting[]): Map<string, KnownState> {
  const writers = new Map(operations.flatMap((one) => (one.wrote ? [[one.wrote.token, one] as const] : [])));
  const states = new Map<string, KnownState>();
  for (const { snapshot, as, at } of sightings) {
    if (as !== 'state') continue;
    const known = states.get(snapshot.token);
    const by = writers.get(snapshot.token);
    if (known === undefined) {
      states.set(snapshot.token, { snapshot: { ...snapshot, ...by?.wrote }, by, seen: at });
    } else if (at < known.seen) {
      states.set(snapshot.token, { ...known, seen: at });
    }
  }
  return states;
}

function acknowledgedDeletions({ operations }: History, states: ReadonlyMap<string, KnownState>): Point[] {
  return operations.flatMap((by) => {
    const rv = deletionVersion(by, states);
    const uid = by.answer?.uid;
    return rv === undefined || uid === undefined
      ? []
      : [{ rv, object: by.object, uid, after: undefined, by }];
  });
}

/** The resourceVersion of an acknowledged deletion, if its answer gave one. */
export function deletionVersion(
  { kind, outcome, answer }: Operation,
  states: ReadonlyMap<string, KnownState>,
): number | undefined {
  if (kind !== 'delete' || outcome !== 'ok' || answer === undefined) return undefined;
  return states.get(answer.token)?.snapshot.rv === answer.rv ? undefined : answer.rv;
}

function chainsOf(
  { operations, final, finalHead }: History,
  points: readonly Point[],
): Map<string, Change[]> {
  const left = new Set(final.map(({ object }) => object));
  const deletable = new Set(
    operations
      .filter(({ kind, outcome }) => kind === 'delete' && outcome !== 'refused')
      .map(({ object }) => object),
  );
  const chains = new Map<string, Change[]>();
  for (const [object, own] of Map.groupBy(points, (point) => point.object)) {
    const chain: Change[] = [];
    for (const { rv, uid, after, by } of own) {
      const before = chain.at(-1)?.after;
      // A deletion tells too that there was another object of this name, whose creation no reader saw.
      const reborn = before !== undefined && before.uid !== uid;
      if (reborn) chain.push(unseenDeletion(before, rv - 1));
      chain.push({ rv, since: rv, object, before: reborn ? undefined : before, after, by });
    }
    const last = chain.at(-1)?.after;
    if (last !== undefined && !left.has(object) && deletable.has(object)) {
      chain.push(unseenDeletion(last, finalHead));
    }
    chains.set(object, chain);
  }
  return chains;
}

function unseenDeletion(before: Snapshot, rv: number): Change {
  return { rv, since: before.rv + 1, object: before.object, before, after: undefined, by: undefined };
}

function unseenWrites(
  { operations }: History,
  states: ReadonlyMap<string, KnownState>,
): Map<string, Operation[]> {
  const unseen = operations.filter(
    ({ outcome, wrote }) => outcome === 'unknown' && wrote !== undefined && !states.has(wrote.token),
  );
  return Map.groupBy(unseen, ({ object }) => object);
}

function byVersion(left: { readonly rv: number }, right: { readonly rv: number }): number {
  return left.rv - right.rv;
}

function describePoint({ object, after, by }: Point): string {
  return by === undefined
    ? `${object} ${after === undefined ? 'left' : `is token ${after.token}`}`
    : describeOperation(by);
}
