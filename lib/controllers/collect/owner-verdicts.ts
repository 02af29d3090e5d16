import type { Collection } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import type { TargetResources } from '../../kubernetes/winnow/index.ts';
import { mapBounded } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { eachPage, type GcTask, type OwnerReference, type Store, sweeps } from '../../store/index.ts';
import { stateNow } from './state-now.ts';

/**
 * The state of an owner, for one dependent: `there`, `waiting` (it is being deleted and waits for its dependents),
 * `gone`, or `elsewhere` (in another namespace, where it cannot own the dependent). An owner of a kind that is not
 * served counts as `there`, because its absence cannot be established.
 */
export type Verdict = 'there' | 'waiting' | 'gone' | 'elsewhere';

export interface VerdictOptions {
  readonly store: Store;
  readonly resources: TargetResources;
}

const AT_ONCE = 10;
const PAGE = 500;

/**
 * The verdicts on owners; each owner is read once. The verdicts hold during one check: a deleted owner never returns,
 * and an owner that is deleted later has its own check of its dependents.
 */
export class OwnerVerdicts {
  readonly #options: VerdictOptions;
  /** An owner that is already known to be gone or to wait. */
  readonly #leaving: (GcTask & { readonly verdict: Verdict }) | undefined;
  readonly #known = new Map<string, Promise<Verdict>>();

  constructor(options: VerdictOptions, leaving?: GcTask & { readonly verdict: Verdict }) {
    this.#options = options;
    this.#leaving = leaving;
  }

  /**
   * Returns the verdict on an owner.
   * @param namespace the dependent's
   */
  of(reference: OwnerReference, namespace: string): Promise<Verdict> {
    const leaving = this.#leaving;
    if (leaving !== undefined && leaving.uid === reference.uid) {
      const isNear = leaving.name.namespace === '' || leaving.name.namespace === namespace;
      return Promise.resolve(isNear ? leaving.verdict : 'elsewhere');
    }
    const { apiVersion, kind, name, uid } = reference;
    const key = JSON.stringify([apiVersion, kind, name, uid, namespace]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const verdict = verdictOn(this.#options, reference, namespace);
    this.#known.set(key, verdict);
    verdict.catch(() => this.#known.delete(key));
    return verdict;
  }
}

async function verdictOn(
  { store, resources }: VerdictOptions,
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
): Promise<Verdict> {
  const target = resources.ofKind(apiVersion, kind);
  if (target === undefined) return 'there';
  const { collection, namespaced } = target;
  if (namespaced && namespace === '') return 'elsewhere';
  const owner = await stateNow(store, collection, { namespace: namespaced ? namespace : '', name });
  if (owner?.uid === uid) return sweeps(owner.body) === 'foreground' ? 'waiting' : 'there';
  return namespaced && (await isElsewhere(store, collection, { name, uid })) ? 'elsewhere' : 'gone';
}

async function isElsewhere(
  store: Store,
  collection: Collection,
  { name, uid }: Pick<OwnerReference, 'name' | 'uid'>,
): Promise<boolean> {
  for await (const { items } of eachPage(store, NAMESPACES, { selector: everything, limit: PAGE })) {
    const found = await mapBounded(items, AT_ONCE, async (namespace) => {
      const other = await store.get(collection, { namespace: namespace.name.name, name });
      return other?.uid === uid;
    });
    if (found.includes(true)) return true;
  }
  return false;
}
