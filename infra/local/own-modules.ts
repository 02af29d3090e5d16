import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Bundle } from '../bundle/index.ts';

/** Bundles whose modules nobody else in this process has. */
export interface OwnModules {
  readonly bundles: readonly Bundle[];
  /** Removes what was made for them: nothing more is imported from there. */
  remove(): Promise<void>;
}

/** The first in a process has the bundles themselves. */
let isFirst = true;

/**
 * A process may start Winnow again and again, each time with new environments and clients; but it keeps a module, and
 * a bundle is several, that import each other. So each start after the first has copies.
 */
export async function ownModules(bundles: readonly Bundle[]): Promise<OwnModules> {
  if (isFirst) {
    isFirst = false;
    return { bundles, remove: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'winnow-functions-'));
  const copied = bundles.map(async (bundle) => {
    const from = dirname(bundle.file);
    const to = join(folder, bundle.name);
    await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.map') });
    return { ...bundle, file: join(to, relative(from, bundle.file)) };
  });
  return {
    bundles: await Promise.all(copied),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
