import type { JsonObject } from '../../../json/index.ts';
import { type Column, objectAt, textAt } from '../../resource-types/index.ts';
import { AGE, field, NAME, text, wide } from '../columns.ts';
import { modesText, storageClassOf, volumePhase } from './volume-text.ts';

export const volumes: readonly Column[] = [
  NAME,
  field('Capacity', 'spec.capacity.storage', 'The capacity of the volume.', '0'),
  text('Access Modes', 'The allowed access modes.', (o) => modesText(o, 'spec.accessModes')),
  field(
    'Reclaim Policy',
    'spec.persistentVolumeReclaimPolicy',
    'What happens to the volume after its claim is deleted.',
    '',
  ),
  text('Status', 'The phase of the volume.', volumePhase),
  text('Claim', 'The claim that the volume is bound to.', claim),
  text('StorageClass', 'The storage class of the volume.', storageClassOf),
  field(
    'VolumeAttributesClass',
    'spec.volumeAttributesClassName',
    'The class of the volume attributes.',
    '<unset>',
  ),
  field('Reason', 'status.reason', 'The reason for the phase.', ''),
  AGE,
  wide(field('VolumeMode', 'spec.volumeMode', 'A file system or a block device.', '<unset>')),
];

function claim(volume: JsonObject): string {
  const reference = objectAt(volume, 'spec.claimRef');
  const [namespace, name] = [textAt(reference, 'namespace'), textAt(reference, 'name')];
  return name === '' ? '' : `${namespace}/${name}`;
}
