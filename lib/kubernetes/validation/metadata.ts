import { type JsonObject, type JsonValue, jsonEquals, metadataOf } from '../../json/index.ts';
import { dns1123LabelErrors, labelKeyErrors } from '../../selectors/index.ts';
import {
  child,
  forbidden,
  goStrings,
  index,
  invalid,
  invalidPrinted,
  required,
  tooLong,
} from '../field-errors/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import { type Errors, invalidFor } from './errors.ts';
import { goOwner } from './go-values.ts';
import { labels } from './label-selectors.ts';
import { nameErrors, namePrefixErrors } from './names.ts';
import { entriesOf, isThere, objectsOf, textOf, textsOf } from './reading.ts';

/** The limit for the keys and values of all annotations together. */
const MOST_ANNOTATION_BYTES = 256 * 1024;
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const DELETION = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** The properties of a type that determine the rules of metadata. */
export type MetaType = Pick<ResourceType, 'builtin' | 'nameRule' | 'scope'>;

/** Checks the metadata of a new object. Follows ValidateObjectMeta of k8s.io/apimachinery. */
export function* objectMeta(type: MetaType, body: JsonObject): Errors {
  const metadata = metadataOf(body);
  yield* nameFields(type, metadata);
  if (type.scope === 'Namespaced') {
    const namespace = textOf(metadata.namespace);
    yield* invalidFor('metadata.namespace', namespace, dns1123LabelErrors(namespace));
  }
  yield* sharedFields(metadata);
  yield* finalizers(metadata);
  if (type.builtin) yield* knownFinalizers(metadata);
}

/** Checks the metadata of an object that replaces another. Follows ValidateObjectMetaUpdate. */
export function* objectMetaUpdate(type: MetaType, body: JsonObject, old: JsonObject): Errors {
  const [metadata, before] = [metadataOf(body), metadataOf(old)];
  if (isThere(before.deletionTimestamp)) yield* noNewFinalizers(metadata, before);
  for (const field of DELETION) {
    const value = metadata[field] ?? null;
    if (jsonEquals(value, before[field] ?? null)) continue;
    yield invalidPrinted(`metadata.${field}`, printed(value), 'field is immutable');
  }
  yield* sharedFields(metadata);
  if (type.builtin) yield* knownFinalizers(metadata);
}

/** Formats a time as Go does: `2020-01-01 00:00:00 +0000 UTC`. */
function printed(value: JsonValue): string {
  if (typeof value === 'string') return `${value.replace('T', ' ').replace('Z', '')} +0000 UTC`;
  return value === null ? 'null' : String(value);
}

function* nameFields(type: MetaType, { name, generateName }: JsonObject): Errors {
  const prefix = textOf(generateName);
  if (prefix !== '') {
    yield* invalidFor('metadata.generateName', prefix, namePrefixErrors(type.nameRule, prefix));
  }
  const own = textOf(name);
  if (own === '') {
    yield required('metadata.name', 'name or generateName is required');
  } else {
    yield* invalidFor('metadata.name', own, nameErrors(type.nameRule, own));
  }
}

function* sharedFields(metadata: JsonObject): Errors {
  yield* labels('metadata.labels', metadata.labels);
  yield* annotations('metadata.annotations', metadata.annotations);
  yield* owners(metadata);
}

/** Checks annotations. Their keys follow the rules of label keys, ignoring case. */
export function* annotations(path: string, value: JsonValue | undefined): Errors {
  const entries = entriesOf(value);
  for (const [key] of entries) yield* invalidFor(path, key, labelKeyErrors(key.toLowerCase()));
  const bytes = entries.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MOST_ANNOTATION_BYTES) yield tooLong(path, MOST_ANNOTATION_BYTES);
}

/** The maximum number of owner references that every error about them may print. */
const MOST_PRINTED = 100;

function* owners({ ownerReferences }: JsonObject): Errors {
  const path = 'metadata.ownerReferences';
  const references = objectsOf(ownerReferences);
  let controller = '';
  for (const reference of references) {
    yield* owner(path, reference);
    if (reference.controller !== true) continue;
    const current = `${textOf(reference.kind)}/${textOf(reference.name)}`;
    if (controller !== '') {
      const all = `[]v1.OwnerReference{${references.map(goOwner).join(', ')}}`;
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      yield invalidPrinted(path, all, detail);
      // Each error prints all references. For a long list, only the first such error is reported.
      if (references.length > MOST_PRINTED) return;
    } else {
      controller = current;
    }
  }
}

function* owner(path: string, reference: JsonObject): Errors {
  const apiVersion = textOf(reference.apiVersion);
  if (!/^([^/]+\/)?[^/]+$/.test(apiVersion)) {
    yield invalid(child(path, 'apiVersion'), apiVersion, 'version must not be empty');
  }
  for (const field of ['kind', 'name', 'uid']) {
    if (textOf(reference[field]) === '') yield invalid(child(path, field), '', `${field} must not be empty`);
  }
  if (apiVersion === 'v1' && reference.kind === 'Event') {
    yield invalidPrinted(path, goOwner(reference), '/v1, Kind=Event is disallowed from being an owner');
  }
}

function* finalizers(metadata: JsonObject): Errors {
  const path = 'metadata.finalizers';
  const names = textsOf(metadata.finalizers);
  for (const name of names) yield* invalidFor(path, name, labelKeyErrors(name));
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    yield invalidPrinted(path, goStrings(names), detail);
  }
}

/** Checks finalizers. Kubernetes' own kinds accept only standard names and names with a domain. */
function* knownFinalizers(metadata: JsonObject): Errors {
  for (const [at, name] of textsOf(metadata.finalizers).entries()) {
    if (name.includes('/') || STANDARD_FINALIZERS.has(name)) continue;
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    yield invalid(index('metadata.finalizers', at), name, detail);
  }
}

function* noNewFinalizers(metadata: JsonObject, before: JsonObject): Errors {
  const kept = new Set(textsOf(before.finalizers));
  const added = textsOf(metadata.finalizers)
    .filter((name) => !kept.has(name))
    .sort();
  if (added.length === 0) return;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(added)}`;
  yield forbidden('metadata.finalizers', detail);
}
