import type { Selection, SelectionReview } from '../../lib/client/objects/index.ts';

/** The answer of a review. */
export interface Review extends SelectionReview {
  /** The kinds of grants that the user may not list. */
  readonly hidden?: readonly string[];
}

/** A review, and the number of objects that it is about. */
export interface Reviewed {
  readonly objects: number;
  readonly review: Review;
}

/** A selector, and the number of objects that it begins or stops to match. */
export interface Effect {
  readonly selection: Selection;
  readonly objects: number;
}

/** What a change of labels does to all objects that were reviewed. */
export interface Effects {
  readonly begins: readonly Effect[];
  readonly stops: readonly Effect[];
  /** Controllers that would all claim the same objects. */
  readonly fights: readonly { readonly controllers: readonly Selection[]; readonly objects: number }[];
  readonly hidden: readonly string[];
}

/** Sums up reviews. The selector that concerns the most objects comes first. */
export function sumUp(reviewed: readonly Reviewed[]): Effects {
  const begins = new Sums<Selection>();
  const stops = new Sums<Selection>();
  const fights = new Sums<readonly Selection[]>();
  for (const { objects, review } of reviewed) {
    const beginning = new Set((review.begins ?? []).map(selectionKey));
    for (const one of review.begins ?? []) begins.add(selectionKey(one), one, objects);
    for (const one of review.stops ?? []) stops.add(selectionKey(one), one, objects);
    for (const { controllers } of review.overlaps) {
      // A fight that goes on already is not an effect of the change.
      const isNew = controllers.some((one) => beginning.has(selectionKey(one)));
      if (isNew) fights.add(controllers.map(selectionKey).join(), controllers, objects);
    }
  }
  return {
    begins: begins.sorted().map(({ of: selection, objects }) => ({ selection, objects })),
    stops: stops.sorted().map(({ of: selection, objects }) => ({ selection, objects })),
    fights: fights.sorted().map(({ of: controllers, objects }) => ({ controllers, objects })),
    hidden: [...new Set(reviewed.flatMap(({ review }) => review.hidden ?? []))],
  };
}

/** A text that is the same for equal selectors of the same object. */
export function selectionKey({ carrier, metadata, path }: Selection): string {
  return [carrier.apiVersion, carrier.kind, metadata.namespace, metadata.name, path].join(' ');
}

/** What an object does with the objects that it selects, as a verb with "-ing": `sending traffic`. */
export function meaningOf({ carrier: { kind = '' } }: Selection): string {
  return MEANINGS[kind] ?? 'selecting';
}

const MEANINGS: Readonly<Record<string, string>> = {
  AccessGrant: 'giving rights',
  ClusterAccessGrant: 'giving rights',
  CronJob: 'controlling',
  DaemonSet: 'controlling',
  Deployment: 'controlling',
  Job: 'controlling',
  NetworkPolicy: 'restricting traffic',
  PodDisruptionBudget: 'limiting evictions',
  ReplicaSet: 'controlling',
  ReplicationController: 'controlling',
  Service: 'sending traffic',
  StatefulSet: 'controlling',
  Subscription: 'following',
  Tally: 'counting',
};

class Sums<Of> {
  readonly #all = new Map<string, { of: Of; objects: number }>();

  add(key: string, of: Of, objects: number): void {
    const before = this.#all.get(key)?.objects ?? 0;
    this.#all.set(key, { of, objects: before + objects });
  }

  sorted(): readonly { readonly of: Of; readonly objects: number }[] {
    return [...this.#all.values()].sort((one, other) => other.objects - one.objects);
  }
}
