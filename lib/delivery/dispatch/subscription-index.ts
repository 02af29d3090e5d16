import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { MatchIndex, type MatchState, type Selector, type Transition } from '../../selectors/index.ts';
import type { JournalChange, ObjectState } from '../../store/index.ts';
import {
  interestOf,
  isUnion,
  type SubscriptionState,
  selectingHeap,
  selectorOf,
} from '../subscription/index.ts';

/** Bytes that one collection's index may take to remember who saw changes of the same labels. */
const REMEMBERED = 4 * 2 ** 20;

type Selected = Pick<
  SubscriptionState,
  'allNamespaces' | 'namespace' | 'namespaces' | 'selector' | 'fieldSelector' | 'scope'
>;

/**
 * What the members of one collection select, as one structure that outlives a turn. It is never trusted to be
 * the present: every turn {@link refresh}es it from the states it read, so it does not matter who else dispatched,
 * edited, deleted or restarted since.
 */
export class SubscriptionIndex {
  readonly #readField: TargetResource['readField'];
  readonly #index = new MatchIndex<string>({ memoryLimit: REMEMBERED });
  /** What the index holds of each member, by uid. A subscription that is recreated has another. */
  readonly #selected = new Map<string, Selected>();
  /**
   * The selections, by uid, of subscriptions whose scope has several selectors. The index finds too much for them.
   */
  readonly #unions = new Map<string, Selector>();
  #heap = 0;

  constructor({ readField }: TargetResource) {
    this.#readField = readField;
  }

  get size(): number {
    return this.#selected.size;
  }

  /** What it takes of the heap at most, in bytes, as {@link selectingHeap} estimates it. */
  get heap(): number {
    return this.#heap;
  }

  /** Makes these the members, touching only what differs. Answers how many were added, replaced or removed. */
  refresh(members: readonly SubscriptionState[]): number {
    let touched = 0;
    for (const member of members) {
      const known = this.#selected.get(member.uid);
      if (known !== undefined && isSame(known, member)) continue;
      this.#index.replace(member.uid, interestOf(member));
      this.#keepUnion(member);
      const { allNamespaces, namespace, namespaces, selector, fieldSelector, scope } = member;
      const selected = { allNamespaces, namespace, namespaces, selector, fieldSelector, scope };
      this.#heap += selectingHeap(member) - (known === undefined ? 0 : selectingHeap(known));
      this.#selected.set(member.uid, selected);
      touched += 1;
    }
    return this.size === members.length ? touched : touched + this.#removeOthers(members);
  }

  /** Calls for each member that sees the object enter, change or leave, in no order. */
  visit(change: JournalChange, visitor: (uid: string, how: Transition) => void): void {
    const { type, relabels, labels } = change;
    // Most changes keep the labels. No state must be decoded then to find the subscriptions.
    const before = relabels ? change.before?.labels : labels;
    const after = type === 'DELETED' ? undefined : labels;
    this.#index.visit(
      before === undefined ? undefined : this.#matchState(change, before, () => change.before),
      after === undefined ? undefined : this.#matchState(change, after, () => change.after),
      (uid, how) => {
        const union = this.#unions.get(uid);
        const seen = union === undefined ? how : within(union, how, { before, after });
        if (seen !== undefined) visitor(uid, seen);
      },
    );
  }

  #keepUnion(member: SubscriptionState): void {
    this.#unions.delete(member.uid);
    if (member.scope === '') return;
    const selector = selectorOf(member);
    if (isUnion(selector)) this.#unions.set(member.uid, selector);
  }

  #matchState(
    { name }: JournalChange,
    labels: ObjectState['labels'],
    state: () => ObjectState | undefined,
  ): MatchState {
    return {
      labels,
      namespace: name.namespace,
      readField: (field) => this.#readField(state()?.body ?? {}, field),
    };
  }

  #removeOthers(members: readonly SubscriptionState[]): number {
    const present = new Set(members.map(({ uid }) => uid));
    const others = [...this.#selected.keys()].filter((uid) => !present.has(uid));
    for (const uid of others) {
      const known = this.#selected.get(uid);
      if (known !== undefined) this.#heap -= selectingHeap(known);
      this.#index.remove(uid);
      this.#unions.delete(uid);
      this.#selected.delete(uid);
    }
    return others.length;
  }
}

function isSame(left: Selected, right: Selected): boolean {
  return (
    left.allNamespaces === right.allNamespaces &&
    left.namespace === right.namespace &&
    left.namespaces === right.namespaces &&
    left.selector === right.selector &&
    left.fieldSelector === right.fieldSelector &&
    left.scope === right.scope
  );
}

interface Relabelling {
  readonly before: ObjectState['labels'] | undefined;
  readonly after: ObjectState['labels'] | undefined;
}

/** The part of the event that a scope shows; undefined means nothing. */
function within(
  selector: Selector,
  how: Transition,
  { before = {}, after = {} }: Relabelling,
): Transition | undefined {
  const was = how !== 'entered' && selector.matches(before);
  const is = how !== 'left' && selector.matches(after);
  if (was && is) return 'changed';
  if (!was && !is) return undefined;
  return is ? 'entered' : 'left';
}
