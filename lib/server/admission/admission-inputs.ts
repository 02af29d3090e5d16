import { type Collection, type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';

/** Collections whose objects have a say in what is written into others. */
export const ADMISSION_INPUTS = {
  limits: 'core/limitranges',
  quotas: 'core/resourcequotas',
  priorities: 'scheduling.k8s.io/priorityclasses',
  runtimes: 'node.k8s.io/runtimeclasses',
  storages: 'storage.k8s.io/storageclasses',
  ingresses: 'networking.k8s.io/ingressclasses',
} as const satisfies Readonly<Record<string, Collection>>;

/** What a write is, as far as it decides who is asked. */
export interface AdmittedWrite {
  readonly type: ResourceType;
  readonly body: JsonObject;
  /** Whether there is an object already. */
  readonly exists: boolean;
  readonly subresource: string;
}

/** Whose objects are to be read before one is written; none for most changes. */
export function rulersOf({ type, body, exists, subresource }: AdmittedWrite): readonly Collection[] {
  const collection = collectionOfType(type);
  if (exists) return ofChange(collection, subresource);
  const quotas = type.scope === 'Cluster' ? [] : [ADMISSION_INPUTS.quotas];
  switch (collection) {
    case 'core/pods':
      return [
        ...quotas,
        ADMISSION_INPUTS.limits,
        ADMISSION_INPUTS.priorities,
        ...(isNamed(body, 'runtimeClassName') ? [ADMISSION_INPUTS.runtimes] : []),
      ];
    case 'core/persistentvolumeclaims':
      return [
        ...quotas,
        ADMISSION_INPUTS.limits,
        ...(hasStorageClass(body) ? [] : [ADMISSION_INPUTS.storages]),
      ];
    case 'networking.k8s.io/ingresses':
      return [...quotas, ...(hasIngressClass(body) ? [] : [ADMISSION_INPUTS.ingresses])];
    case ADMISSION_INPUTS.priorities:
      return body.globalDefault === true ? [ADMISSION_INPUTS.priorities] : [];
    default:
      return quotas;
  }
}

/** What may take more than it took. */
function ofChange(collection: Collection, subresource: string): readonly Collection[] {
  switch (`${collection}/${subresource}`) {
    case 'core/pods/resize':
    case 'core/persistentvolumeclaims/':
      return [ADMISSION_INPUTS.quotas, ADMISSION_INPUTS.limits];
    case 'core/services/':
      return [ADMISSION_INPUTS.quotas];
    case `${ADMISSION_INPUTS.priorities}/`:
      return [ADMISSION_INPUTS.priorities];
    default:
      return [];
  }
}

function isNamed({ spec }: JsonObject, field: string): boolean {
  return (objectAt(spec ?? {})[field] ?? '') !== '';
}

/** The empty class says that there shall be none. */
function hasStorageClass(body: JsonObject): boolean {
  const { annotations } = metadataOf(body);
  const old = objectAt(annotations ?? {})['volume.beta.kubernetes.io/storage-class'];
  return old !== undefined || objectAt(body.spec ?? {}).storageClassName !== undefined;
}

function hasIngressClass(body: JsonObject): boolean {
  const { annotations } = metadataOf(body);
  const old = objectAt(annotations ?? {})['kubernetes.io/ingress.class'];
  return old !== undefined || objectAt(body.spec ?? {}).ingressClassName !== undefined;
}
