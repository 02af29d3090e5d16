import type { Metafile } from 'esbuild';

export type Output = Metafile['outputs'][string];

/** An output and the outputs that it imports, directly or not, by the imports that `isFollowed` accepts. */
export function reachedFrom(
  { outputs }: Metafile,
  first: string,
  isFollowed: (imported: Output['imports'][number]) => boolean,
): [path: string, Output][] {
  const paths = new Set([first]);
  // Iteration over a set includes members that are added during it.
  for (const path of paths) {
    const here = outputs[path]?.imports.filter((one) => !one.external && isFollowed(one));
    for (const imported of here ?? []) paths.add(imported.path);
  }
  return [...paths].flatMap((path): [string, Output][] => {
    const output = outputs[path];
    return output === undefined ? [] : [[path, output]];
  });
}
