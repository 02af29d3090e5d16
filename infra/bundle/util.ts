let part: typeof import('node:util') | undefined;

/**
 * Replaces `node:util`, of which the functions use only this export. Importing all of the original costs a
 * millisecond per start.
 */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  part ??= process.getBuiltinModule('node:util');
  return part.isDeepStrictEqual(one, other);
}
