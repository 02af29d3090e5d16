import { type JsonObject, jsonEquals, metadataOf, objectAt } from '../../../json/index.ts';
import type { TypeRules } from './rules.ts';

const GENERATION = 'deprecated.daemonset.template.generation';

/** The rules of DaemonSets. An annotation counts the changes of the template. */
export const daemonSetRules: TypeRules = {
  read: (body) => withGeneration(body, 0),
  prepare: (body, old) => {
    const counted = count(body, old);
    return counted === undefined ? body : withGeneration(body, counted);
  },
};

function withGeneration(body: JsonObject, counted: number): JsonObject {
  const metadata = metadataOf(body);
  const annotations = { ...objectAt(metadata.annotations ?? {}), [GENERATION]: String(counted) };
  return { ...body, metadata: { ...metadata, annotations } };
}

/** The new count. Undefined if the old object has no count and its template did not change. */
function count(body: JsonObject, old: JsonObject | undefined): number | undefined {
  if (old === undefined) return 1;
  const before = objectAt(metadataOf(old).annotations ?? {})[GENERATION];
  const same = jsonEquals(templateOf(body), templateOf(old));
  if (before === undefined && same) return undefined;
  return Number(before ?? 1) + (same ? 0 : 1);
}

function templateOf({ spec }: JsonObject) {
  return objectAt(spec ?? {}).template ?? null;
}
