import type { Hints } from '../../coordination/index.ts';
import { resourceTypes } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { ADMISSION_INPUTS, reckon } from '../admission/index.ts';
import { CustomTypes } from '../registry/index.ts';

/** Writes the usage of each quota into its status. Takes one request if there are no quotas. */
export type QuotaReckoner = (store: Store) => Promise<void>;

/** Creates the function that counts quotas again every minute. */
export function quotaReckoner(clock: Clock, hints: Pick<Hints, 'announce'>): QuotaReckoner {
  const custom = new CustomTypes(clock);
  return async (store) => {
    const quotas = (await store.snapshot([ADMISSION_INPUTS.quotas])).get(ADMISSION_INPUTS.quotas) ?? [];
    if (quotas.length === 0) return;
    const types = [...resourceTypes, ...(await custom.current(store)).types];
    await reckon({ store, clock, types, announce: (...commit) => hints.announce(...commit) }, quotas);
  };
}
