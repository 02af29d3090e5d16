import type { JsonObject } from '../../../json/index.ts';
import { type Column, textAt } from '../../resource-types/index.ts';
import { AGE, field, NAME, text, wide } from '../columns.ts';
import { modesText, storageClassOf, volumePhase } from './volume-text.ts';

export const claims: readonly Column[] = [
  NAME,
  text('Status', 'The phase of the claim.', volumePhase),
  field('Volume', 'spec.volumeName', 'The volume that the claim is bound to.', ''),
  text('Capacity', 'The capacity of the bound volume.', (o) =>
    bound(o, () => textAt(o, 'status.capacity.storage')),
  ),
  text('Access Modes', 'The allowed access modes.', (o) =>
    bound(o, () => modesText(o, 'status.accessModes')),
  ),
  text('StorageClass', 'The requested storage class.', storageClassOf),
  field(
    'VolumeAttributesClass',
    'spec.volumeAttributesClassName',
    'The class of the volume attributes.',
    '<unset>',
  ),
  AGE,
  wide(field('VolumeMode', 'spec.volumeMode', 'A file system or a block device.', '<unset>')),
];

/** Returns the text of `shown` if the claim has a volume, otherwise an empty text. */
function bound(claim: JsonObject, shown: () => string): string {
  return textAt(claim, 'spec.volumeName') === '' ? '' : shown();
}
