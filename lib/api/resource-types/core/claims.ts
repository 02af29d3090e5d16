import type { JsonObject } from '../../../store/index.ts';
import { AGE, field, NAME, text, wide } from '../columns.ts';
import type { ResourceDefinition } from '../define-resource-types.ts';
import { listAt, objectAt, textAt } from '../json-path.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** The class by which a claim names its storage class in its annotations, as it did before there was a field. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

export const claims: ResourceDefinition = {
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  description: 'PersistentVolumeClaim asks for storage.',
  shortNames: ['pvc'],
  answersDeleted: true,
  status: true,
  columns: [
    NAME,
    text('Status', 'How far it is.', phase),
    field('Volume', 'spec.volumeName', 'The volume that serves it.', ''),
    text('Capacity', 'How much it got.', (o) => bound(o, () => textAt(o, 'status.capacity.storage'))),
    text('Access Modes', 'How it may be mounted.', (o) => bound(o, () => modes(o))),
    text('StorageClass', 'The class that it asks for.', storageClass),
    field(
      'VolumeAttributesClass',
      'spec.volumeAttributesClassName',
      'The class of its attributes.',
      '<unset>',
    ),
    AGE,
    wide(field('VolumeMode', 'spec.volumeMode', 'A file system or a block device.', '<unset>')),
  ],
  properties: SPEC_AND_STATUS,
};

function phase(claim: JsonObject): string {
  return textAt(claim, 'metadata.deletionTimestamp') === '' ? textAt(claim, 'status.phase') : 'Terminating';
}

/** Shown of a claim that has a volume. */
function bound(claim: JsonObject, shown: () => string): string {
  return textAt(claim, 'spec.volumeName') === '' ? '' : shown();
}

function modes(claim: JsonObject): string {
  const given = new Set(listAt(claim, 'status.accessModes').map(String));
  const known = Object.entries(SHORT_MODES).filter(([mode]) => given.has(mode));
  return known.map(([, short]) => short).join(',');
}

function storageClass(claim: JsonObject): string {
  const old = objectAt(claim, 'metadata.annotations')[CLASS_ANNOTATION];
  return typeof old === 'string' && old !== '' ? old : textAt(claim, 'spec.storageClassName');
}
