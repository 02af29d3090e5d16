import { type JsonObject, metadataOf } from '../../store/index.ts';
import type { ResourceType } from '../resource-types/index.ts';

/** What upstream warns of without refusing it. */
export function finalizerWarnings(type: ResourceType, body: JsonObject): string[] {
  const { finalizers } = metadataOf(body);
  const names = (Array.isArray(finalizers) ? finalizers : []).map(String);
  const unqualified = type.builtin ? [] : names.filter((name) => !name.includes('/'));
  return unqualified.map(
    (name) =>
      `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
  );
}
