import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bundle } from '../../../infra/bundle/index.ts';

/** Two versions of every function, of which one takes each invocation, as while a deployment shifts them. */
export class Mixture {
  /** The part of all invocations that the new version takes. */
  newPart = 0;
  /** Invocations that the old version and the new one are at work on. */
  readonly atWork = { old: 0, new: 0 };
  /** Those that each of them has taken, by function. */
  readonly taken = { old: new Map<string, number>(), new: new Map<string, number>() };

  /** Bundles that choose for each invocation; the folders hold `<name>/index.mjs` of each version. */
  async bundlesOf(
    bundles: readonly Bundle[],
    { folder, ...versions }: { readonly old: string; readonly new: string; readonly folder: string },
  ): Promise<readonly Bundle[]> {
    Object.assign(globalThis, { [MIXTURE]: this });
    return Promise.all(
      bundles.map(async (bundle) => {
        // A function that one version does not have is not mixed.
        if (![versions.old, versions.new].every((at) => existsSync(join(at, bundle.name)))) return bundle;
        const own = await copied(join(versions.old, bundle.name), join(folder, bundle.name, 'old'));
        const other = await copied(join(versions.new, bundle.name), join(folder, bundle.name, 'new'));
        const text = `
          import { handler as old } from ${JSON.stringify(own)};
          import { handler as next } from ${JSON.stringify(other)};
          const choose = () => globalThis[${JSON.stringify(MIXTURE)}].take(${JSON.stringify(bundle.name)}, old, next);
          const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');
          const chosen = (...call) => choose()(...call);
          export const handler = STREAMING in old ? Object.assign(chosen, { [STREAMING]: 'response' }) : chosen;`;
        const file = join(folder, bundle.name, 'index.mjs');
        await writeFile(file, text);
        return { ...bundle, file };
      }),
    );
  }

  /** The handler that takes an invocation. */
  take(name: string, old: Handler, next: Handler): Handler {
    const version = Math.random() < this.newPart ? 'new' : 'old';
    const handler = version === 'new' ? next : old;
    this.taken[version].set(name, (this.taken[version].get(name) ?? 0) + 1);
    return async (...call) => {
      this.atWork[version] += 1;
      try {
        return await handler(...call);
      } finally {
        this.atWork[version] -= 1;
      }
    };
  }
}

/** A process keeps a module, with the environment that it was loaded in: so each mixture has modules of its own. */
async function copied(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true });
  return pathToFileURL(join(to, 'index.mjs')).href;
}

type Handler = (...call: readonly unknown[]) => Promise<unknown>;

const MIXTURE = 'winnowMixture';
