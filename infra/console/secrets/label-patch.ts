import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/index.ts';

/** The fields of a patch's metadata: the labels, and the preconditions. */
const FIELDS: readonly string[] = ['labels', 'resourceVersion', 'uid'];

/**
 * Reads a merge patch that changes nothing but labels; undefined if the text is another patch. The caller sends what
 * this function returns, because another parser could read the text differently.
 */
export function readLabelPatch(text: string): JsonObject | undefined {
  const patch = parsed(text);
  if (!isJsonObject(patch) || Object.keys(patch).join() !== 'metadata') return undefined;
  const { metadata } = patch;
  if (!isJsonObject(metadata) || !isJsonObject(metadata.labels)) return undefined;
  return Object.keys(metadata).every((field) => FIELDS.includes(field)) ? patch : undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
