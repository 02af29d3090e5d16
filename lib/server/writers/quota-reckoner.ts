import type { Hints } from '../../coordination/index.ts';
import { resourceTypes } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { ADMISSION_INPUTS, reckon } from '../admission/index.ts';
import { CustomTypes } from '../registry/index.ts';

/** Has every quota's status say how much of it is used. One request where there are none. */
export type QuotaReckoner = (store: Store) => Promise<void>;

/** What counts quotas anew, every minute. */
export function quotaReckoner(clock: Clock, hints: Pick<Hints, 'announce'>): QuotaReckoner {
  const custom = new CustomTypes(clock);
  return async (store) => {
    const quotas = (await store.snapshot([ADMISSION_INPUTS.quotas])).get(ADMISSION_INPUTS.quotas) ?? [];
    if (quotas.length === 0) return;
    const types = [...resourceTypes, ...(await custom.current(store)).types];
    await reckon({ store, clock, types, announce: (...commit) => hints.announce(...commit) }, quotas);
  };
}
