import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import type { ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { readServiceRange, SERVICE_RANGE, type ServiceRange } from '../../../platform/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import type { ObjectState } from '../../../store/index.ts';
import { needsAddress } from '../../objects/index.ts';
import { invalid } from '../../status/index.ts';
import { allocateAddress } from './allocate-address.ts';
import { allocatePorts } from './allocate-ports.ts';
import { type ClaimOptions, Claims } from './claims.ts';

export interface Allocation extends Pick<ClaimOptions, 'store' | 'random'> {
  readonly type: ResourceType;
  readonly body: JsonObject;
  /** The current state of the Service; absent if it is new. */
  readonly old?: Pick<ObjectState, 'body' | 'reserved'> | undefined;
  /** The range of Service addresses; the default range if absent. */
  readonly serviceRange?: ServiceRange | undefined;
  /** A dry run chooses no addresses or ports. */
  readonly dryRun: boolean;
}

/** A Service with its addresses and ports, and the reservations for them. */
export interface Allocated {
  readonly body: JsonObject;
  readonly reserves: readonly string[];
}

/**
 * Allocates the addresses and ports that a Service does not set, and refuses those that another Service holds. The
 * transaction that writes the Service also writes its reservations, on the condition that they are free. If another
 * Service has taken one of them, `change` runs again.
 *
 * @throws ApiError 422
 */
export async function allocateService(wanted: Allocation): Promise<Allocated> {
  const { type, body, old, store, random } = wanted;
  const { serviceRange: range = readServiceRange(SERVICE_RANGE) } = wanted;
  const claims = new Claims({ store, random, range, own: old?.reserved ?? [] });
  const before = old === undefined ? undefined : objectAt(old.body.spec ?? {});
  const refuse = (error: FieldError): never => {
    throw invalid(type, String(metadataOf(body).name ?? ''), [error]);
  };
  let spec = objectAt(body.spec ?? {});
  const steps = needsAddress(spec) ? [allocateAddress, allocatePorts] : [];
  for (const step of steps) {
    const allotted = await step(spec, { claims, before, range, dryRun: wanted.dryRun });
    if ('error' in allotted) refuse(allotted.error);
    if ('spec' in allotted) spec = allotted.spec;
  }
  return { body: { ...body, spec }, reserves: claims.names };
}
