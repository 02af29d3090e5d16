import { type JsonObject, objectAt } from '../../../json/index.ts';
import { findResourceType } from '../../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../../platform/index.ts';
import type { Mutation, ObjectState, Store, WriteOutcome } from '../../../store/index.ts';
import { spelledMutation, trackFields, typedState } from '../../objects/index.ts';
import { ADMISSION_INPUTS } from '../admission-inputs.ts';
import type { Given } from '../admission-request.ts';

/** The manager of the usage in managedFields. */
const MANAGER = 'kube-apiserver';

export interface TellOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * The limits of a complete count. If `hard` is set, `used` replaces the earlier usage; otherwise `used` is merged into
 * the earlier usage.
 */
interface Reckoned {
  readonly hard?: JsonObject;
}

/**
 * Writes the usage into a quota's status. No decision depends on it. If two processes write at the same time, the
 * last value stays until the next write or the next count, at most a minute later.
 */
export async function reportUsage(
  { store, clock }: TellOptions,
  { quota, used, hard }: Given & Reckoned,
): Promise<WriteOutcome> {
  const type = findResourceType('', 'v1', 'resourcequotas');
  if (type === undefined) throw new Error('the resource type resourcequotas is missing');
  const { name, namespace } = quota.name;
  const route = { type, verb: 'update', namespace, name, subresource: 'status' } as const;
  const tracking = await trackFields({ route, manager: MANAGER, clock });
  return store.write(
    ADMISSION_INPUTS.quotas,
    quota.name,
    async (current: ObjectState | undefined): Promise<Mutation> => {
      if (current?.uid !== quota.uid) return { kind: 'none' };
      const typed = await typedState(type, current);
      const status = objectAt(typed.body.status ?? {});
      const known = hard ?? status.hard ?? objectAt(typed.body.spec ?? {}).hard ?? {};
      const told = hard === undefined ? { ...objectAt(status.used ?? {}), ...used } : used;
      const body = { ...typed.body, status: { ...status, hard: known, used: told } };
      return spelledMutation(type, tracking.changed(typed, { kind: 'put', body }));
    },
  );
}
