import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../json/index.ts';
import { dns1123SubdomainErrors } from '../../selectors/index.ts';
import { child, forbidden, invalid, key, notSupported, required } from '../field-errors/index.ts';
import { nanosOf } from './containers/index.ts';
import { type Errors, invalidFor } from './errors.ts';
import { labelSelector } from './label-selectors.ts';
import { isThere, textOf, textsOf } from './reading.ts';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES = ['Block', 'Filesystem'];

export function* persistentVolumeClaim(body: JsonObject): Errors {
  yield* claimSpec('spec', objectAt(body.spec));
}

/** Checks the spec of a claim, also of a claim in a pod. */
export function* claimSpec(path: string, spec: JsonObject): Errors {
  const modes = textsOf(spec.accessModes);
  if (modes.length === 0) yield required(child(path, 'accessModes'), 'at least 1 access mode is required');
  yield* labelSelector(child(path, 'selector'), spec.selector);
  yield* accessModes(child(path, 'accessModes'), modes);
  const { storage } = objectAt(objectAt(spec.resources).requests);
  const own = key(child(path, 'resources'), 'storage');
  if (!isThere(storage)) {
    yield required(own);
  } else if (nanosOf(storage) <= 0n) {
    yield invalid(own, textOf(storage), 'must be greater than zero');
  }
  const name = textOf(spec.storageClassName);
  if (name !== '') yield* invalidFor(child(path, 'storageClassName'), name, dns1123SubdomainErrors(name));
  yield* volumeMode(child(path, 'volumeMode'), spec.volumeMode);
}

export function* accessModes(path: string, modes: readonly string[]): Errors {
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) yield notSupported(path, mode, ACCESS_MODES);
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod')) {
    yield forbidden(path, 'may not use ReadWriteOncePod with other access modes');
  }
}

export function* volumeMode(path: string, mode: JsonValue | undefined): Errors {
  if (isThere(mode) && !VOLUME_MODES.includes(textOf(mode))) yield notSupported(path, mode, VOLUME_MODES);
}

/**
 * Checks the update of a claim. Its spec is immutable, with two exceptions. The resources and the
 * volumeAttributesClassName may change. The volumeName and the storageClassName may be set once.
 */
export function* claimUpdate(body: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  const fields = new Set([...Object.keys(spec), ...Object.keys(before)]);
  for (const free of ['resources', 'volumeAttributesClassName']) fields.delete(free);
  for (const given of ['volumeName', 'storageClassName']) if (!isThere(before[given])) fields.delete(given);
  if ([...fields].some((field) => !jsonEquals(spec[field] ?? null, before[field] ?? null))) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    yield forbidden('spec', detail);
  }
}
