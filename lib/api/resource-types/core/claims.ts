import type { JsonObject } from '../../../store/index.ts';
import { AGE, field, NAME, text, wide } from '../columns.ts';
import type { ResourceDefinition } from '../define-resource-types.ts';
import { textAt } from '../json-path.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';
import { modesText, storageClassOf, volumePhase } from './volume-text.ts';

export const claims: ResourceDefinition = {
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  description: 'PersistentVolumeClaim asks for storage.',
  shortNames: ['pvc'],
  answersDeleted: true,
  status: true,
  columns: [
    NAME,
    text('Status', 'How far it is.', volumePhase),
    field('Volume', 'spec.volumeName', 'The volume that serves it.', ''),
    text('Capacity', 'How much it got.', (o) => bound(o, () => textAt(o, 'status.capacity.storage'))),
    text('Access Modes', 'How it may be mounted.', (o) => bound(o, () => modesText(o, 'status.accessModes'))),
    text('StorageClass', 'The class that it asks for.', storageClassOf),
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

/** Shown of a claim that has a volume. */
function bound(claim: JsonObject, shown: () => string): string {
  return textAt(claim, 'spec.volumeName') === '' ? '' : shown();
}
