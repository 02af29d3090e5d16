import { type JsonObject, metadataOf } from '../../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { type Mutation, type ObjectState, toObject } from '../../../store/index.ts';
import { admissionOf, type Charge, charged, tellGiven } from '../../admission/index.ts';
import { accountsOf, asServer, type Call } from '../../http/index.ts';
import { updateOf } from './mutated.ts';

/** The checks of limits, policies and quotas for the changes of one request. */
export interface ChangeAdmission {
  /**
   * Returns the mutation if it is allowed. Called again for each retry of the write.
   * @throws ApiError 403; 422 a policy denies it
   */
  admit(current: ObjectState, mutation: Mutation): Promise<Mutation>;
  /** After the write, reports the quotas that the change used. */
  tell(): Promise<void>;
}

/** Whether an object can use more of a quota. A terminating object cannot, except a Service, which keeps its addresses. */
function takesMore(type: ResourceType, body: JsonObject): boolean {
  const isLeaving = metadataOf(body).deletionTimestamp !== undefined;
  return !isLeaving || collectionOfType(type) === 'core/services';
}

/** Returns the checks for one request. Few kinds can take more of a quota with a change. */
export function admitChanges(call: Call, dryRun: boolean): ChangeAdmission {
  const { options, route } = call;
  let charge: Charge | undefined;
  return {
    admit: async (current, mutation) => {
      charge = undefined;
      const { type, subresource, namespace } = route;
      const decide = async (body: JsonObject) =>
        call.decide?.(() => updateOf(current, toObject({ ...current, body }), dryRun));
      if (mutation.kind !== 'put' || !takesMore(type, mutation.body)) {
        await decide(mutation.kind === 'none' ? current.body : mutation.body);
        return mutation;
      }
      const { store, clock, random, serviceRange, subscribing } = asServer(options);
      const accounts = accountsOf(options);
      const where = { subresource, namespace, serviceRange, subscribing, accounts };
      const asked = { type, body: mutation.body, exists: true, ...where };
      const admission = await admissionOf({ ...asked, store, random, dryRun, now: clock.now() });
      admission.refuse(mutation.body);
      charge = await admission.charge(mutation.body, current, decide);
      return charged(mutation, charge);
    },
    tell: async () => {
      if (!dryRun) await tellGiven(asServer(options), charge);
    },
  };
}
