import type { JsonObject } from '../../json/index.ts';
import type { GroupVersionKind } from '../admission-match/index.ts';
import type { Judged } from './types.ts';

export interface VersionedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Returns the objects of a write as another kind has them. @throws {ConfigurationError} they cannot be converted */
export function versionedObjects(
  { attributes, convert }: Pick<Judged, 'attributes' | 'convert'>,
  kind: GroupVersionKind,
): VersionedObjects {
  const { object, oldObject, kind: own } = attributes;
  if (own.group === kind.group && own.version === kind.version && own.kind === kind.kind) {
    return { object, oldObject };
  }
  return {
    object: object && convert(object, kind),
    oldObject: oldObject && convert(oldObject, kind),
  };
}
