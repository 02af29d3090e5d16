import {
  dns1123LabelErrors,
  type FieldError,
  type FieldErrorType,
  labelKeyErrors,
  validateLabels,
} from '../../selectors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, metadataOf } from '../../store/index.ts';

import type { ResourceType } from '../resource-types/index.ts';
import { nameErrors, namePrefixErrors } from './validate-name.ts';

/** Keys and values of all annotations together. */
const MOST_ANNOTATION_BYTES = 256 * 1024;
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** What the rules of metadata depend on. */
type MetaType = Pick<ResourceType, 'builtin' | 'nameRule' | 'scope'>;

/**
 * Everything wrong with the metadata of an object to be stored; `old` is what it replaces. The rules of
 * k8s.io/apimachinery/pkg/api/validation, ValidateObjectMeta and ValidateObjectMetaUpdate.
 */
export function validateObjectMeta(type: MetaType, body: JsonObject, old?: JsonObject): FieldError[] {
  const metadata = metadataOf(body);
  return [
    ...nameFieldErrors(type, metadata),
    ...namespaceErrors(type, metadata),
    ...validateLabels(metadata.labels ?? {}),
    ...annotationErrors(stringMap(metadata.annotations)),
    ...ownerErrors(listOf(metadata.ownerReferences)),
    ...finalizerErrors(type, strings(metadata.finalizers)),
    ...(old === undefined ? [] : newFinalizerErrors(metadata, metadataOf(old))),
  ];
}

/** What upstream warns of without refusing it. */
export function finalizerWarnings(type: ResourceType, body: JsonObject): string[] {
  const unqualified = strings(metadataOf(body).finalizers).filter((name) => !name.includes('/'));
  return type.builtin
    ? []
    : unqualified.map(
        (name) =>
          `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
      );
}

function nameFieldErrors(type: MetaType, { name, generateName }: JsonObject): FieldError[] {
  const prefix = typeof generateName === 'string' ? generateName : '';
  const errors = prefix === '' ? [] : namePrefixErrors(type.nameRule, prefix);
  const prefixErrors = errors.map((detail) => invalid('metadata.generateName', prefix, detail));
  if (typeof name !== 'string' || name === '') {
    const detail = 'name or generateName is required';
    return [...prefixErrors, { type: 'Required', field: 'metadata.name', detail }];
  }
  const own = nameErrors(type.nameRule, name).map((detail) => invalid('metadata.name', name, detail));
  return [...prefixErrors, ...own];
}

function namespaceErrors(type: MetaType, { namespace = '' }: JsonObject): FieldError[] {
  return type.scope === 'Namespaced'
    ? dns1123LabelErrors(String(namespace)).map((detail) => invalid('metadata.namespace', namespace, detail))
    : [];
}

function annotationErrors(annotations: ReadonlyMap<string, string>): FieldError[] {
  const field = 'metadata.annotations';
  const errors = [...annotations.keys()].flatMap((key) =>
    labelKeyErrors(key.toLowerCase()).map((detail) => invalid(field, key, detail)),
  );
  const bytes = [...annotations].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MOST_ANNOTATION_BYTES) {
    errors.push({ type: 'TooLong', field, detail: `may not be more than ${MOST_ANNOTATION_BYTES} bytes` });
  }
  return errors;
}

function ownerErrors(references: readonly JsonValue[]): FieldError[] {
  const field = 'metadata.ownerReferences';
  const owners = references.filter(isJsonObject);
  const errors = owners.flatMap((owner) => [
    ...(/^([^/]+\/)?[^/]+$/.test(String(owner.apiVersion ?? ''))
      ? []
      : [invalid(`${field}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty')]),
    ...['kind', 'name', 'uid']
      .filter((key) => typeof owner[key] !== 'string' || owner[key] === '')
      .map((key) => invalid(`${field}.${key}`, owner[key] ?? '', 'must not be empty')),
  ]);
  const controllers = owners.filter((owner) => owner.controller === true).map(({ name }) => String(name));
  if (controllers.length > 1) {
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]} and ${controllers[1]}`;
    errors.push(invalid(field, references, detail));
  }
  return errors;
}

function finalizerErrors(type: MetaType, finalizers: readonly string[]): FieldError[] {
  const field = 'metadata.finalizers';
  const errors = finalizers.flatMap((name) => {
    const syntax = labelKeyErrors(name).map((detail) => invalid(field, name, detail));
    const known = name.includes('/') || STANDARD_FINALIZERS.has(name) || !type.builtin;
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return known ? syntax : [...syntax, invalid(field, name, detail)];
  });
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalid(field, finalizers, detail));
  }
  return errors;
}

function newFinalizerErrors(metadata: JsonObject, old: JsonObject): FieldError[] {
  if (old.deletionTimestamp === undefined) return [];
  const before = new Set(strings(old.finalizers));
  const added = strings(metadata.finalizers).filter((name) => !before.has(name));
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`;
  return added.length === 0 ? [] : [{ type: 'Forbidden', field: 'metadata.finalizers', detail }];
}

function invalid(
  field: string,
  value: unknown,
  detail: string,
  type: FieldErrorType = 'Invalid',
): FieldError {
  return { type, field, value, detail };
}

function stringMap(value: JsonValue | undefined): ReadonlyMap<string, string> {
  return new Map(isJsonObject(value) ? Object.entries(value).map(([key, text]) => [key, String(text)]) : []);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function strings(value: JsonValue | undefined): readonly string[] {
  return listOf(value).map(String);
}
