import { type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { compareValues } from './compare-values.ts';
import { FieldSet } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';
import { goJson } from './go-format.ts';
import type { Shape } from './shape.ts';
import { validateValue } from './validate-value.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** The limit for the keys and values of all annotations together. */
const MOST_ANNOTATION_BYTES = 256 * 1024;

/** Whether `kubectl apply` without `--server-side` has written the object. */
export function hasLastApplied(object: JsonObject): boolean {
  return lastAppliedOf(object) !== '';
}

/**
 * Returns the fields that client-side apply wrote and whose values have not changed since. An apply by kubectl may
 * take these fields from their managers, because kubectl wrote them. Empty if the annotation cannot be read.
 */
export function fieldsOfLastApplied(shape: Shape, live: JsonObject, apiVersion: string): FieldSet {
  const lastApplied = parseObject(lastAppliedOf(live));
  const strict = { duplicates: false };
  if (lastApplied?.apiVersion !== apiVersion) return new FieldSet();
  if (validateValue(shape, lastApplied, strict).length > 0) return new FieldSet();
  if (validateValue(shape, live, strict).length > 0) return new FieldSet();
  const { added, modified, removed } = compareValues(shape, lastApplied, live);
  return fieldsOfValue(shape, lastApplied).difference(modified).difference(added).difference(removed);
}

/** Returns `object` with the annotation that records `applied`, so that client-side apply can continue from it. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const annotations: JsonObject = {
    ...annotationsOf(object),
    [ANNOTATION]: `${goJson(withoutAnnotation(applied))}\n`,
  };
  const bytes = Object.entries(annotations).flat().map(String).reduce(addBytes, 0);
  if (bytes > MOST_ANNOTATION_BYTES) delete annotations[ANNOTATION];
  return { ...object, metadata: { ...objectAt(object.metadata), annotations } };
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const metadata = objectAt(applied.metadata);
  if (metadata.annotations === undefined) return applied;
  const { [ANNOTATION]: _annotation, ...annotations } = objectAt(metadata.annotations);
  return { ...applied, metadata: { ...metadata, annotations } };
}

function lastAppliedOf(object: JsonObject): string {
  const text = annotationsOf(object)[ANNOTATION];
  return typeof text === 'string' ? text : '';
}

function annotationsOf({ metadata }: JsonObject): JsonObject {
  return objectAt(objectAt(metadata).annotations);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return objectAt(value);
  } catch {
    return undefined;
  }
}

function addBytes(sum: number, text: string): number {
  return sum + Buffer.byteLength(text);
}
