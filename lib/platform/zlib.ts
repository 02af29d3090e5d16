let part: typeof import('node:zlib') | undefined;

/** `node:zlib`, loaded when something is first compressed: a start that imports it takes a millisecond or more. */
export function zlib(): typeof import('node:zlib') {
  part ??= process.getBuiltinModule('node:zlib');
  return part;
}
