import type { Metafile } from 'esbuild';

export type Output = Metafile['outputs'][string];

/** An output and what it imports by the imports that are followed, by their paths. */
export function reachedFrom(
  { outputs }: Metafile,
  first: string,
  isFollowed: (imported: Output['imports'][number]) => boolean,
): [path: string, Output][] {
  const paths = new Set([first]);
  // A set is gone through to the end of what is added meanwhile.
  for (const path of paths) {
    const here = outputs[path]?.imports.filter((one) => !one.external && isFollowed(one));
    for (const imported of here ?? []) paths.add(imported.path);
  }
  return [...paths].flatMap((path): [string, Output][] => {
    const output = outputs[path];
    return output === undefined ? [] : [[path, output]];
  });
}
