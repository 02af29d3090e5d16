import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Bundle } from '../bundle/index.ts';

/** Bundles whose modules no other code in this process uses. */
export interface OwnModules {
  readonly bundles: readonly Bundle[];
  /** Removes the copies. Nothing may be imported from them after that. */
  remove(): Promise<void>;
}

/** The first start in a process uses the bundles themselves. */
let isFirst = true;

/**
 * Returns bundles for a start of Winnow. A process may start Winnow several times, each time with a new environment
 * and new clients, but Node caches modules. So each start after the first gets copies of the bundles.
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
