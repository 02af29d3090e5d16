import type { JsonObject, JsonValue } from '../../../json/index.ts';
import { listAt, objectAt, textAt } from '../../resource-types/index.ts';

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** The annotation in which volumes and claims named their storage class before the field existed. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** Formats the access modes at a path, as kubectl does: `RWO,ROX`. */
export function modesText(value: JsonValue, path: string): string {
  const given = new Set(listAt(value, path).map(String));
  const known = Object.entries(SHORT_MODES).filter(([mode]) => given.has(mode));
  return known.map(([, short]) => short).join(',');
}

/** Returns the name of the storage class of a volume or claim. */
export function storageClassOf(object: JsonObject): string {
  const old = objectAt(object, 'metadata.annotations')[CLASS_ANNOTATION];
  return typeof old === 'string' && old !== '' ? old : textAt(object, 'spec.storageClassName');
}

export function volumePhase(object: JsonObject): string {
  return textAt(object, 'metadata.deletionTimestamp') === '' ? textAt(object, 'status.phase') : 'Terminating';
}
