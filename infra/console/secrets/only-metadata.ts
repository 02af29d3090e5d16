import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../../lib/json/index.ts';

/** Annotations in which tools repeat the whole object, with its data. */
const COPIES: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'kapp.k14s.io/original',
  'objectset.rio.cattle.io/applied',
];

/** An answer that is neither metadata nor a Table of it. */
export class NotMetadataError extends Error {
  override name = 'NotMetadataError';
}

/**
 * Reduces an answer to what it may show of Secrets: metadata without copies of the object, alone, in a list or in a
 * Table. Errors and counts by labels stay as they are.
 *
 * @throws {NotMetadataError} the answer has another kind
 */
export function onlyMetadata(answer: JsonValue): JsonObject {
  const { kind, apiVersion = '', metadata = {} } = objectAt(answer);
  const ofMeta = typeof apiVersion === 'string' && apiVersion.startsWith('meta.k8s.io/');
  if (kind === 'Status' || kind === 'Facets') return objectAt(answer);
  if (ofMeta && kind === 'PartialObjectMetadata') {
    return { kind, apiVersion, metadata: withoutCopies(objectAt(metadata)) };
  }
  if (ofMeta && kind === 'PartialObjectMetadataList') {
    return { kind, apiVersion, metadata, items: listAt(answer, 'items').map(onlyMetadata) };
  }
  if (ofMeta && kind === 'Table') {
    const rows = listAt(answer, 'rows').map(onlyMetadataOfRow);
    return { kind, apiVersion, metadata, columnDefinitions: [...listAt(answer, 'columnDefinitions')], rows };
  }
  throw new NotMetadataError(`the server answered with the kind ${JSON.stringify(kind ?? 'none')}`);
}

/** Reduces an event of a watch. @throws {NotMetadataError} as {@link onlyMetadata}. */
export function onlyMetadataOfEvent(event: JsonValue): JsonObject {
  const { type = '', object = null } = objectAt(event);
  return { type, object: onlyMetadata(object) };
}

function onlyMetadataOfRow(row: JsonValue): JsonObject {
  const { cells = [], conditions, object } = objectAt(row);
  return {
    cells,
    ...(conditions !== undefined && { conditions }),
    ...(object !== undefined && { object: object === null ? null : onlyMetadata(object) }),
  };
}

function withoutCopies(metadata: JsonObject): JsonObject {
  if (!isJsonObject(metadata.annotations)) return metadata;
  const kept = Object.entries(metadata.annotations).filter(([name]) => !COPIES.includes(name));
  return { ...metadata, annotations: Object.fromEntries(kept) };
}

function listAt(answer: JsonValue, field: string): readonly JsonValue[] {
  const list = objectAt(answer)[field];
  return Array.isArray(list) ? list : [];
}
