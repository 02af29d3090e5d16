import type { Collection } from '../../json/index.ts';
import { isSelected, type SelectableObject, type Selection } from './selection.ts';

/** A selection, and which object makes it. */
export interface Carried {
  readonly carrier: Carrier;
  readonly selection: Selection;
}

/** An object that carries selectors. */
export interface Carrier {
  readonly collection: Collection;
  /** `''` in cluster scope. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The uid of the object that controls it, where one does. */
  readonly controller?: string;
}

/** What selections make of an object. Each keeps the order in which the selections were given. */
export interface SelectionJudgement {
  /** The carriers that select the planned object, or the old one if it is to be deleted. */
  readonly selects: readonly Carried[];
  /** The carriers that would begin to select it. */
  readonly begins: readonly Carried[];
  /** The carriers that would cease to select it. */
  readonly stops: readonly Carried[];
  /** Controllers that select it both, of which neither made the other: each would count or delete it as its own. */
  readonly overlaps: readonly (readonly [Carrier, Carrier])[];
}

/** An object before and after a change; without one of the two it comes, or goes. */
export interface Considered {
  readonly before?: SelectableObject;
  readonly after?: SelectableObject;
}

/**
 * Kinds whose controllers take all pods that they select for their own.
 * https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#non-template-pod-acquisitions
 */
const CONTROLLERS: ReadonlyMap<Collection, string> = new Map([
  ['core/replicationcontrollers', 'spec.selector'],
  ['apps/replicasets', 'spec.selector'],
  ['apps/deployments', 'spec.selector'],
  ['apps/statefulsets', 'spec.selector'],
  ['apps/daemonsets', 'spec.selector'],
  ['batch/jobs', 'spec.selector'],
]);

/** @param candidates selections whose target is what the object is one of; each once */
export function judgeSelection(
  { before, after }: Considered,
  candidates: readonly Carried[],
): SelectionJudgement {
  const selectedBy = (subject: SelectableObject | undefined) =>
    new Set(
      subject === undefined ? [] : candidates.filter(({ selection }) => isSelected(selection, subject)),
    );
  const old = selectedBy(before);
  const now = selectedBy(after);
  const selects = candidates.filter((one) => (after === undefined ? old : now).has(one));
  return {
    selects,
    begins: candidates.filter((one) => now.has(one) && !old.has(one)),
    stops: candidates.filter((one) => old.has(one) && !now.has(one)),
    overlaps: overlapsOf(selects),
  };
}

function overlapsOf(selects: readonly Carried[]): readonly (readonly [Carrier, Carrier])[] {
  const controllers = selects
    .filter(({ carrier, selection }) => CONTROLLERS.get(carrier.collection) === selection.path)
    .map(({ carrier }) => carrier);
  return controllers.flatMap((one, index) =>
    controllers.slice(index + 1).flatMap((other) => (areRelated(one, other) ? [] : [[one, other] as const])),
  );
}

/** A Deployment and its ReplicaSet have the same pods, as do two ReplicaSets of one Deployment while it rolls. */
function areRelated(one: Carrier, other: Carrier): boolean {
  if (one.controller !== undefined && one.controller === other.controller) return true;
  return one.controller === other.uid || other.controller === one.uid;
}
