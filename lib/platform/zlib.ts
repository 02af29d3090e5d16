let part: typeof import('node:zlib') | undefined;

/**
 * Returns `node:zlib`. It is loaded when first needed, because importing it at the start takes a millisecond or more.
 */
export function zlib(): typeof import('node:zlib') {
  part ??= process.getBuiltinModule('node:zlib');
  return part;
}
