import { type JsonObject, type JsonValue, jsonEquals, metadataOf, objectAt } from '../../json/index.ts';
import { whyNotAssigned } from '../../kubernetes/assignment/index.ts';
import type { FilterRuleName } from '../../placement/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { WorldChange, WorldListener } from '../../server/index.ts';
import { nameKey, type ObjectState } from '../../store/index.ts';
import { type HelpedRules, helpedRules } from './helped-rules.ts';
import { RefusedPods } from './refused-pods.ts';

/** A pod that waits for a node. */
export interface WaitingPod {
  readonly state: ObjectState;
  /** Tries that found no node since the pod was created, or since it was read. */
  readonly tries: number;
  /**
   * `due`: when the pod is tried if nothing happens until then. `soonest`: before this time it is never tried. Both
   * are in ms since the epoch.
   */
  readonly due: number;
  readonly soonest: number;
  /** The rules that refused nodes at the last try; absent where the pod is to be tried. */
  readonly refusedBy?: ReadonlySet<FilterRuleName>;
  /** The last report that the pod has no node. Until `until`, in ms since the epoch, it need not be repeated. */
  readonly told?: { readonly until: number; readonly message: string };
}

/**
 * As in kube-scheduler: the first pause after a try, which doubles with each try, and the longest pause, both in ms.
 */
const PAUSE = { first: 1_000, longest: 10_000 };
/** After this time, in ms, a pod is tried again in any case: kube-scheduler's podMaxInUnschedulablePodsDuration. */
const LONGEST_WAIT = 300_000;

export interface WaitingPodsOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** The scheduler's name. Pods with another `spec.schedulerName` are ignored. */
  readonly schedulerName: string;
}

/**
 * The pods that wait for a node, kept in addition to the world. A pod that found no node is tried again when a change
 * could help one of the rules that refused its nodes. It is never tried before its pause is over.
 */
export class WaitingPods implements WorldListener {
  readonly #options: WaitingPodsOptions;
  readonly #pods = new Map<string, WaitingPod>();
  readonly #refused = new RefusedPods();
  /** The resourceVersions that this process wrote and has not yet read from the journal, by the pod's name key. */
  readonly #written = new Map<string, number>();

  constructor(options: WaitingPodsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pods.size;
  }

  all(): Iterable<WaitingPod> {
    return this.#pods.values();
  }

  tell(change: WorldChange): void {
    if (change.kind !== 'Pod' || !this.#isKnown(change)) this.#hear(change);
  }

  /** Applies a write of this process to a pod. The journal's entry of that write then changes nothing. */
  wrote(before: ObjectState, after: ObjectState): void {
    const { name } = after;
    const known = this.#pods.get(nameKey(name))?.state;
    this.#written.set(nameKey(name), after.rv);
    this.#hear({ kind: 'Pod', name, before: known ?? before, after });
  }

  /** The pods to be tried now: by priority, then the oldest first. */
  ready(): WaitingPod[] {
    const now = this.#options.clock.now();
    return [...this.#pods.values()].filter(({ due }) => due <= now).sort(inOrder);
  }

  /** Whether the pod still waits, unchanged. */
  has(pod: WaitingPod): boolean {
    return this.#pods.get(nameKey(pod.state.name)) === pod;
  }

  /** Notes that no node fits the pod, and which rules refused. */
  refuse(pod: WaitingPod, refusedBy: ReadonlySet<FilterRuleName>): void {
    this.#set({ ...this.#tried(pod), due: this.#options.clock.now() + LONGEST_WAIT, refusedBy });
  }

  /** Notes that the pod could not be written. It is tried again after a pause. */
  postpone(pod: WaitingPod): void {
    this.#set(this.#tried(pod));
  }

  /** Notes that it was reported that the pod has no node. */
  tellOf(pod: WaitingPod, message: string): void {
    const waiting = this.#pods.get(nameKey(pod.state.name));
    const told = { message, until: this.#options.clock.now() + LONGEST_WAIT };
    if (waiting !== undefined) this.#set({ ...waiting, told });
  }

  /** Removes a pod that has a node or has changed. The journal delivers its new state. */
  drop({ state }: WaitingPod): void {
    this.#forget(nameKey(state.name));
  }

  /** Returns the time of the next try of a pod that waits only for its pause; undefined if there is none. */
  nextTry(): number | undefined {
    return earliest(this.#pods.values(), ({ refusedBy }) => refusedBy === undefined);
  }

  /** Returns the time of the next try if nothing changes. */
  nextDue(): number | undefined {
    return earliest(this.#pods.values());
  }

  #tried(pod: WaitingPod): WaitingPod {
    const { refusedBy: _last, ...known } = pod;
    const tries = pod.tries + 1;
    const soonest = this.#options.clock.now() + Math.min(PAUSE.longest, PAUSE.first * 2 ** pod.tries);
    return { ...known, tries, soonest, due: soonest };
  }

  /** Whether a change of a pod is not newer than this process' last write to it. */
  #isKnown({ name, after }: WorldChange): boolean {
    const key = nameKey(name);
    const written = this.#written.get(key);
    if (written === undefined) return false;
    if (after === undefined || after.rv >= written) this.#written.delete(key);
    return after !== undefined && after.rv <= written;
  }

  #hear(change: WorldChange): void {
    if (change.kind === 'Pod') this.#hearOfPod(change);
    if (!this.#refused.isEmpty) this.#help(helpedRules(change));
  }

  #hearOfPod({ name, after }: WorldChange): void {
    const key = nameKey(name);
    if (after === undefined || !this.#isOurs(after)) {
      this.#forget(key);
      return;
    }
    const known = this.#pods.get(key);
    if (known?.state.uid !== after.uid) {
      this.#set({ state: after, tries: 0, due: 0, soonest: 0 });
    } else if (jsonEquals(askedOf(known.state), askedOf(after))) {
      this.#set({ ...known, state: after });
    } else {
      this.#set(helped({ ...known, state: after }));
    }
  }

  #isOurs({ name, body }: ObjectState): boolean {
    const { schedulerName } = objectAt(body.spec);
    const { phase } = objectAt(body.status);
    const hasEnded = phase === 'Succeeded' || phase === 'Failed';
    const isOf = schedulerName === this.#options.schedulerName;
    return isOf && !hasEnded && whyNotAssigned(name.name, body) === undefined;
  }

  #help(rules: HelpedRules): void {
    for (const key of this.#refused.of(rules)) {
      const pod = this.#pods.get(key);
      if (pod !== undefined) this.#set(helped(pod));
    }
  }

  #set(pod: WaitingPod): void {
    const key = nameKey(pod.state.name);
    this.#pods.set(key, pod);
    if (pod.refusedBy === undefined) {
      this.#refused.delete(key);
    } else {
      this.#refused.add(key, pod.refusedBy);
    }
  }

  #forget(key: string): void {
    this.#pods.delete(key);
    this.#refused.delete(key);
  }
}

/** Returns the pod without its refusals. It is tried as soon as its pause is over. */
function helped({ refusedBy: _some, ...pod }: WaitingPod): WaitingPod {
  return { ...pod, due: pod.soonest };
}

function earliest(
  pods: Iterable<WaitingPod>,
  counts: (pod: WaitingPod) => boolean = () => true,
): number | undefined {
  let first = Number.POSITIVE_INFINITY;
  for (const pod of pods) if (pod.due < first && counts(pod)) first = pod.due;
  return Number.isFinite(first) ? first : undefined;
}

/** The parts of a pod that placement reads when it has no node. Other changes need no new try. */
function askedOf({ body }: ObjectState): JsonValue {
  const { nominatedNodeName = null } = objectAt(body.status);
  return [body.spec ?? null, metadataOf(body).labels ?? null, nominatedNodeName];
}

function inOrder(left: WaitingPod, right: WaitingPod): number {
  return (
    numberAt(right.state.body, 'priority') - numberAt(left.state.body, 'priority') ||
    compare(createdAt(left.state.body), createdAt(right.state.body)) ||
    compare(nameKey(left.state.name), nameKey(right.state.name))
  );
}

function numberAt({ spec }: JsonObject, field: string): number {
  return Number(objectAt(spec)[field] ?? 0);
}

function createdAt(body: JsonObject): string {
  return String(metadataOf(body).creationTimestamp ?? '');
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
