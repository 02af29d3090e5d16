import type { Collection } from '../../json/index.ts';
import { isSelected, type SelectableObject, type Selection } from './selection.ts';

/** A selection and the object that carries it. */
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
  /** The uid of its controlling owner, if it has one. */
  readonly controller?: string;
}

/** The effect of a change on the carriers that select an object. Each list keeps the order of the candidates. */
export interface SelectionJudgement {
  /** The carriers that select the planned object; for a delete, those that select the old one. */
  readonly selects: readonly Carried[];
  /** The carriers that would start to select it. */
  readonly begins: readonly Carried[];
  /** The carriers that would stop selecting it. */
  readonly stops: readonly Carried[];
  /** Pairs of unrelated controllers that both select it. Each would count or delete it as its own. */
  readonly overlaps: readonly (readonly [Carrier, Carrier])[];
}

/** An object before and after a change. `before` is absent for a create, `after` for a delete. */
export interface Considered {
  readonly before?: SelectableObject;
  readonly after?: SelectableObject;
}

/**
 * Kinds whose controllers adopt all pods that they select.
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

/** @param candidates the selections whose target is the object's collection, each once */
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

/**
 * Whether two controllers may share pods: a Deployment and its ReplicaSet, or two ReplicaSets of one Deployment
 * during a rollout.
 */
function areRelated(one: Carrier, other: Carrier): boolean {
  if (one.controller !== undefined && one.controller === other.controller) return true;
  return one.controller === other.uid || other.controller === one.uid;
}
