import { type JsonObject, metadataOf } from '../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Mutation, ObjectState } from '../../store/index.ts';
import { admissionOf, type Charge, charged, tellGiven } from '../admission/index.ts';
import { asServer, type Call } from '../http/index.ts';

/** What limits and quotas have to say of the changes of one request. */
export interface ChangeAdmission {
  /**
   * The mutation, if it may be; as often as it is decided.
   * @throws ApiError 403
   */
  admit(current: ObjectState, mutation: Mutation): Promise<Mutation>;
  /** Says what it took of quotas, when it is done. */
  tell(): Promise<void>;
}

/** What is on its way out takes nothing more, but a Service, which has its addresses until it is gone. */
function takesMore(type: ResourceType, body: JsonObject): boolean {
  const isLeaving = metadataOf(body).deletionTimestamp !== undefined;
  return !isLeaving || collectionOfType(type) === 'core/services';
}

/** Few kinds of objects can take more with a change than they took: most changes are asked nothing. */
export function admitChanges({ options, route }: Call, dryRun: boolean): ChangeAdmission {
  let charge: Charge | undefined;
  return {
    admit: async (current, mutation) => {
      charge = undefined;
      const { type, subresource, namespace } = route;
      if (mutation.kind !== 'put' || !takesMore(type, mutation.body)) return mutation;
      const { store, clock, random, serviceRange, subscribing } = asServer(options);
      const where = { subresource, namespace, serviceRange, subscribing };
      const asked = { type, body: mutation.body, exists: true, ...where };
      const admission = await admissionOf({ ...asked, store, random, dryRun, now: clock.now() });
      admission.refuse(mutation.body);
      charge = await admission.charge(mutation.body, current);
      return charged(mutation, charge);
    },
    tell: async () => {
      if (!dryRun) await tellGiven(asServer(options), charge);
    },
  };
}
