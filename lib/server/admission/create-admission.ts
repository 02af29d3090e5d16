import { type JsonObject, metadataOf } from '../../json/index.ts';
import { goAggregate } from '../../kubernetes/field-errors/index.ts';
import { collectionOfType } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState } from '../../store/index.ts';
import { forbidden } from '../status/index.ts';
import { ADMISSION_INPUTS } from './admission-inputs.ts';
import type { Admission, AdmissionInputs, AdmissionRequest } from './admission-request.ts';
import type { Completed } from './completed.ts';
import { withIngressClass, withStorageClass } from './default-classes.ts';
import { limitErrors, withLimits } from './limits/index.ts';
import { withPriority } from './priority.ts';
import { chargeQuotas } from './quota/index.ts';
import { overheadError, withRuntimeClass } from './runtime-class.ts';
import { allocateService } from './services/index.ts';

/** Creates the admission of a write that at least one admission input can affect. */
export function createAdmission(request: AdmissionRequest, rulers: AdmissionInputs): Admission {
  const { type } = request;
  const collection = collectionOfType(type);
  const refuse = (errors: readonly string[], body: JsonObject) => {
    if (errors.length > 0) throw forbidden(type, String(metadataOf(body).name ?? ''), goAggregate(errors));
  };
  return {
    complete: (sent) => {
      const made = complete(collection, sent, rulers);
      if ('refusal' in made) refuse([made.refusal], sent);
      return 'body' in made ? made.body : sent;
    },
    refuse: (body) => {
      refuse(limitErrors(collection, body, rulers.limits), body);
      if (collection === 'core/pods' && !request.exists) refuse(overheadError(body, rulers.runtimes), body);
      if (collection === ADMISSION_INPUTS.priorities) refuse(secondDefault(body, rulers.priorities), body);
    },
    charge: async (body, old, decide) => {
      const allotted =
        collection === 'core/services' ? await allocateService({ ...request, body, old }) : undefined;
      await decide(allotted?.body ?? body);
      const charge = await chargeQuotas({ ...request, quotas: rulers.quotas, body, old: old?.body });
      return { ...charge, ...allotted };
    },
  };
}

/** Applies defaults in the order of Kubernetes' admission plugins. */
function complete(collection: string, sent: JsonObject, rulers: AdmissionInputs): Completed {
  switch (collection) {
    case 'core/pods': {
      const limited = withLimits(sent, rulers.limits);
      const ranked = withPriority(limited, rulers.priorities);
      return 'body' in ranked ? withRuntimeClass(ranked.body, rulers.runtimes) : ranked;
    }
    case 'core/persistentvolumeclaims':
      return { body: withStorageClass(sent, rulers.storages) };
    case 'networking.k8s.io/ingresses':
      return { body: withIngressClass(sent, rulers.ingresses) };
    default:
      return { body: sent };
  }
}

function secondDefault(body: JsonObject, priorities: readonly ObjectState[]): string[] {
  if (body.globalDefault !== true) return [];
  const { name } = metadataOf(body);
  const other = priorities.find((one) => one.body.globalDefault === true && one.name.name !== name);
  if (other === undefined) return [];
  return [`PriorityClass ${other.name.name} is already marked as default. Only one default can exist`];
}
