import { type Collection, type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';

/** The collections whose objects affect how admission changes or refuses writes of other objects. */
export const ADMISSION_INPUTS = {
  limits: 'core/limitranges',
  quotas: 'core/resourcequotas',
  priorities: 'scheduling.k8s.io/priorityclasses',
  runtimes: 'node.k8s.io/runtimeclasses',
  storages: 'storage.k8s.io/storageclasses',
  ingresses: 'networking.k8s.io/ingressclasses',
} as const satisfies Readonly<Record<string, Collection>>;

/** The facts of a write that decide which admission inputs it needs. */
export interface AdmittedWrite {
  readonly type: ResourceType;
  readonly body: JsonObject;
  /** Whether the object already exists. */
  readonly exists: boolean;
  readonly subresource: string;
}

/** The collections that admission reads before an object is written; empty for most changes. */
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

/** The collections to read for a change that may use more of a quota or a limit than before. */
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

/** Whether a claim names a storage class. An empty name also counts, because it explicitly requests no class. */
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
