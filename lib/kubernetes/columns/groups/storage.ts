import type { JsonObject } from '../../../json/index.ts';
import { listAt, NONE, objectAt, textAt } from '../../resource-types/index.ts';
import { AGE, boolean, field, integer, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** storage.k8s.io/v1 */
export const storage: ColumnsByKind = {
  CSIDriver: [
    NAME,
    boolean('AttachRequired', 'spec.attachRequired', 'Whether volumes are attached first.', true),
    boolean('PodInfoOnMount', 'spec.podInfoOnMount', 'Whether mounts pass pod information.'),
    boolean('StorageCapacity', 'spec.storageCapacity', 'Whether it reports free capacity.'),
    text('TokenRequests', 'Audiences of the tokens that it wants.', audiences),
    boolean('RequiresRepublish', 'spec.requiresRepublish', 'Whether mounts are repeated periodically.'),
    text(
      'Modes',
      'The lifecycle modes of its volumes.',
      (o) => listAt(o, 'spec.volumeLifecycleModes').join(',') || NONE,
    ),
    AGE,
  ],
  CSINode: [NAME, integer('Drivers', 'The number of drivers.', (o) => listAt(o, 'spec.drivers').length), AGE],
  CSIStorageCapacity: [
    NAME,
    field('StorageClassName', 'storageClassName', 'The class.', ''),
    field('Capacity', 'capacity', 'The available capacity.', '<unset>'),
  ],
  StorageClass: [
    { ...NAME, cell: (o) => `${textAt(o, 'metadata.name')}${isDefault(o) ? ' (default)' : ''}` },
    field('Provisioner', 'provisioner', 'The provisioner of the volumes.', ''),
    field(
      'ReclaimPolicy',
      'reclaimPolicy',
      'The reclaim policy: what happens to a released volume.',
      'Delete',
    ),
    field(
      'VolumeBindingMode',
      'volumeBindingMode',
      'The volume binding mode: when a volume is created and bound.',
      'Immediate',
    ),
    {
      ...boolean('AllowVolumeExpansion', 'allowVolumeExpansion', 'Whether volumes may grow.'),
      type: 'string',
    },
    AGE,
  ],
  VolumeAttachment: [
    NAME,
    { ...field('Attacher', 'spec.attacher', 'The driver that attaches it.', ''), format: 'name' },
    field('PV', 'spec.source.persistentVolumeName', 'The volume.', ''),
    field('Node', 'spec.nodeName', 'The node.', ''),
    boolean('Attached', 'status.attached', 'Whether the volume is attached.'),
    AGE,
  ],
};

function audiences(driver: JsonObject): string {
  const requests = listAt(driver, 'spec.tokenRequests');
  return requests.length === 0 ? '<unset>' : requests.map((one) => textAt(one, 'audience')).join(',');
}

function isDefault(storageClass: JsonObject): boolean {
  const annotations = objectAt(storageClass, 'metadata.annotations');
  return DEFAULT_CLASS.some((name) => annotations[name] === 'true');
}
