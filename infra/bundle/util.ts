let part: typeof import('node:util') | undefined;

/**
 * Stands in for `node:util`, of which the functions use this: to import it takes a start a millisecond, for all that
 * it exports beside.
 */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  part ??= process.getBuiltinModule('node:util');
  return part.isDeepStrictEqual(one, other);
}
