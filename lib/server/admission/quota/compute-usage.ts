import { type Collection, objectAt } from '../../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { type Clock, MEMORY } from '../../../platform/index.ts';
import { everything } from '../../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../../store/index.ts';
import { ADMISSION_INPUTS } from '../admission-inputs.ts';
import { type Amounts, added, amountsOf, NOTHING, textOf } from '../amounts.ts';
import { evaluatorOf } from './evaluators.ts';
import { isCounted, quotaOf } from './quota-of.ts';
import { reportUsage } from './report-usage.ts';

export interface ReckonOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** All resource types. */
  readonly types: readonly ResourceType[];
  announce(collection: Collection, rv: number): Promise<void>;
}

/** Counts the whole usage of each quota and writes it into the status, as kube-controller-manager does. */
export async function computeUsage(options: ReckonOptions, quotas: readonly ObjectState[]): Promise<void> {
  for (const quota of quotas) {
    const counted = await usedOf(options, quota);
    const hard = objectAt(objectAt(quota.body.spec ?? {}).hard ?? {});
    const used = Object.fromEntries(
      [...amountsOf(hard).keys()].map((name) => [name, textOf(counted.get(name) ?? NOTHING)]),
    );
    const { kind, after } = await reportUsage(options, { quota, used, hard });
    if (kind !== 'none' && after !== undefined) {
      await options.announce(ADMISSION_INPUTS.quotas, after.rv);
    }
  }
}

async function usedOf({ store, clock, types }: ReckonOptions, state: ObjectState): Promise<Amounts> {
  let all: Amounts = new Map();
  const { namespace } = state.name;
  // Types that share a collection have the same objects, so each collection is counted once.
  const collections = new Map(types.map((type) => [collectionOfType(type), type]));
  for (const [collection, type] of collections) {
    const evaluator = evaluatorOf(type);
    const quota = type.scope === 'Cluster' ? undefined : quotaOf(state, evaluator);
    if (quota === undefined) continue;
    const request = { namespace, selector: everything, mostHeap: MEMORY.page };
    for await (const { items } of eachPage(store, collection, request)) {
      for (const { body } of items.filter((item) => isCounted(quota, item.body, evaluator))) {
        all = added(all, evaluator.usage(body, clock.now()));
      }
    }
  }
  return all;
}
