import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import { dns1123SubdomainErrors, labelKeyErrors } from '../../../selectors/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../field-errors/index.ts';
import { amountAtLeastZero } from '../containers/index.ts';
import { driverName } from '../drivers.ts';
import { type Errors, invalidFor, nonNegative, subdomain } from '../errors.ts';
import { labelSelector } from '../label-selectors.ts';
import { entriesOf, isThere, objectsOf, textOf, textsOf } from '../reading.ts';
import { immutable } from './classes.ts';

const RECLAIM_POLICIES = ['Delete', 'Retain'];
const BINDING_MODES = ['Immediate', 'WaitForFirstConsumer'];
const MOST_PARAMETER_BYTES = 256 * 1024;
const LONGEST_NODE_ID = 256;

export function* storageClass(body: JsonObject): Errors {
  const provisioner = textOf(body.provisioner);
  if (provisioner === '') {
    yield required('provisioner');
  } else {
    yield* invalidFor('provisioner', provisioner.toLowerCase(), labelKeyErrors(provisioner.toLowerCase()));
  }
  const bytes = entriesOf(body.parameters)
    .flat()
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MOST_PARAMETER_BYTES) yield tooLong('parameters', MOST_PARAMETER_BYTES);
  yield* oneOfThese('reclaimPolicy', body.reclaimPolicy, RECLAIM_POLICIES);
  yield* oneOfThese('volumeBindingMode', body.volumeBindingMode, BINDING_MODES);
}

function* oneOfThese(path: string, value: JsonValue | undefined, supported: readonly string[]): Errors {
  if (isThere(value) && !supported.includes(textOf(value))) yield notSupported(path, value, supported);
}

export function* storageClassUpdate(body: JsonObject, old: JsonObject): Errors {
  for (const field of ['parameters', 'provisioner', 'reclaimPolicy']) {
    if (jsonEquals(body[field] ?? null, old[field] ?? null)) continue;
    yield forbidden(field, `updates to ${field} are forbidden.`);
  }
  yield* immutable('volumeBindingMode', body.volumeBindingMode, old.volumeBindingMode);
}

export function* csiNode({ spec }: JsonObject): Errors {
  const names = new Set<string>();
  for (const [at, driver] of objectsOf(objectAt(spec).drivers).entries()) {
    const own = index('spec.drivers', at);
    const name = textOf(driver.name);
    yield* driverName(child(own, 'name'), name);
    const id = textOf(driver.nodeID);
    if (id === '') yield required(child(own, 'nodeID'));
    if (id.length > LONGEST_NODE_ID) {
      yield invalid(child(own, 'nodeID'), id, `must be ${LONGEST_NODE_ID} characters or less`);
    }
    yield* nonNegative(child(own, 'allocatable.count'), objectAt(driver.allocatable).count);
    if (names.has(name)) yield duplicate(child(own, 'name'), name);
    names.add(name);
    for (const key of textsOf(driver.topologyKeys)) yield* invalidFor(own, key, labelKeyErrors(key));
  }
}

/** Checks the remaining capacity of a storage class in one topology. */
export function* storageCapacity({ nodeTopology, storageClassName, capacity }: JsonObject): Errors {
  yield* labelSelector('nodeTopology', nodeTopology);
  yield* subdomain('storageClassName', textOf(storageClassName));
  yield* amountAtLeastZero('capacity', capacity);
}

export function* storageCapacityUpdate(body: JsonObject, old: JsonObject): Errors {
  yield* immutable('nodeTopology', body.nodeTopology, old.nodeTopology);
  yield* immutable('storageClassName', body.storageClassName, old.storageClassName);
}

export function* volumeAttachment({ spec: given }: JsonObject): Errors {
  const spec = objectAt(given);
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = objectAt(spec.source);
  const which = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (textOf(spec.attacher) === '') yield required('spec.attacher');
  if (isThere(name) && isThere(inline)) yield forbidden('spec.source', which);
  if (!isThere(name) && !isThere(inline)) yield required('spec.source', which);
  if (name === '') {
    yield required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName');
  }
  yield* invalidFor('spec.nodeName', textOf(spec.nodeName), dns1123SubdomainErrors(textOf(spec.nodeName)));
  yield* driverName('spec.attacher', textOf(spec.attacher));
}

export function* volumeAttachmentUpdate(body: JsonObject, old: JsonObject): Errors {
  if (jsonEquals(body.spec ?? null, old.spec ?? null)) return;
  yield { type: 'Invalid', field: 'spec', detail: 'field is immutable' };
}
