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

/** The most bytes that one collection's index may use to cache which subscriptions match which labels. */
const REMEMBERED = 4 * 2 ** 20;

type Selected = Pick<
  SubscriptionState,
  'allNamespaces' | 'namespace' | 'namespaces' | 'selector' | 'fieldSelector' | 'scope'
>;

/**
 * An index of what the subscriptions of one shard select. It outlives a round, but is never assumed to be current.
 * Every round {@link refresh}es it from the states that it read. So other processes may dispatch, edit, delete or
 * restart subscriptions in between.
 */
export class SubscriptionIndex {
  readonly #readField: TargetResource['readField'];
  readonly #index = new MatchIndex<string>({ memoryLimit: REMEMBERED });
  /** The indexed selection of each subscription, by uid. A recreated subscription has another uid. */
  readonly #selected = new Map<string, Selected>();
  /**
   * The selections, by uid, of subscriptions whose scope has several selectors. The index returns a superset for them.
   */
  readonly #unions = new Map<string, Selector>();
  #heap = 0;

  constructor({ readField }: TargetResource) {
    this.#readField = readField;
  }

  get size(): number {
    return this.#selected.size;
  }

  /** The most heap that the index takes, in bytes, as {@link selectingHeap} estimates it. */
  get heap(): number {
    return this.#heap;
  }

  /**
   * Replaces the indexed subscriptions with these, and updates only differences. Returns how many it added, replaced or
   * removed.
   */
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

  /** Calls the visitor for each subscription for which the object enters, changes or leaves, in no particular order. */
  visit(change: JournalChange, visitor: (uid: string, how: Transition) => void): void {
    const { type, relabels, labels } = change;
    // Most changes keep the labels. Then the index finds the subscriptions without decoding a state.
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

/** The transition within a scope; undefined: the change is not visible in the scope. */
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
