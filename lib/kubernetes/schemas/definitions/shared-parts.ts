import type { JsonValue } from '../../../json/index.ts';
import { child, index } from '../../field-errors/index.ts';
import { sameValue } from '../same-value.ts';
import type { Version } from './definition.ts';

type Part = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';

/** A part of a version, and the path of its errors in Kubernetes. */
export interface PlacedPart<Name extends Part> {
  readonly version: Version;
  readonly value: Version[Name];
  readonly path: string;
}

/**
 * Returns a part of each version, or only one if it is the same in all versions. Kubernetes converts a definition to
 * its older form, which has shared parts at the top, and reports their errors there.
 */
export function partsOf<Name extends Part>(
  versions: readonly Version[],
  name: Name,
  path: string,
): PlacedPart<Name>[] {
  const [first, ...others] = versions;
  const part = (version: Version) => (version[name] ?? null) as JsonValue;
  if (first !== undefined && others.every((version) => sameValue(part(version), part(first)))) {
    return [
      { version: first, value: first[name], path: child(path, name === 'schema' ? 'validation' : name) },
    ];
  }
  return versions.map((version, at) => ({
    version,
    value: version[name],
    path: child(index(child(path, 'versions'), at), name),
  }));
}

/** Whether a part is the same in all versions. */
export function isShared(versions: readonly Version[], name: Part): boolean {
  return partsOf(versions, name, '').length === 1;
}
