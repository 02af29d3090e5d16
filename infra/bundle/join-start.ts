import { join, relative } from 'node:path';
import type { Metafile, OnResolveArgs, Plugin } from 'esbuild';
import { root } from './files.ts';
import { reachedFrom } from './reached-from.ts';

/** Files that a program imports on demand, relative to the repository. */
export interface Demanded {
  readonly reached: ReadonlySet<string>;
  /** Those that only code imports that is left out. */
  readonly idle: ReadonlySet<string>;
}

/** What a program whose first output this is imports on demand, from a build of it with splitting. */
export function demandedIn(metafile: Metafile, first: string): Demanded {
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const all = imports.filter(({ kind, external }) => kind === 'dynamic-import' && external !== true);
  const outputs = reachedFrom(metafile, first, () => true).map(([, output]) => output);
  const reached = new Set(outputs.flatMap(({ entryPoint = '' }) => entryPoint));
  return { reached, idle: new Set(all.map(({ path }) => path).filter((path) => !reached.has(path))) };
}

const NAMESPACE = 'on-demand';
/** Asked for by this plugin itself. */
const ASKED = Symbol('asked');

/**
 * Has esbuild put all that every start loads into one file. By itself it makes one for each set of modules that the
 * same imports on demand share with the start, some thirty; where each of these imports the entry point as well, they
 * all share all of it. A module that awaits such an import while it is loaded itself would wait for itself. What is
 * imported on demand by nobody is left out, and with it what it would keep.
 */
export function joinStart(entryPoint: string, { reached, idle }: Demanded): Plugin {
  return {
    name: 'join-start',
    setup({ onLoad, onResolve, resolve }) {
      const find = async ({ path, kind, importer, resolveDir, with: attributes }: OnResolveArgs) => {
        const found = await resolve(path, {
          kind,
          importer,
          resolveDir,
          with: attributes,
          pluginData: ASKED,
        });
        return found.external ? '' : relative(root, found.path);
      };
      onResolve({ filter: /./ }, async (asked) => {
        if (asked.kind !== 'dynamic-import' || asked.pluginData === ASKED) return undefined;
        const path = await find(asked);
        if (idle.has(path)) return { path: asked.path, external: true };
        return reached.has(path) && path.endsWith('.ts') ? { path, namespace: NAMESPACE } : undefined;
      });
      onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
        contents: `import ${JSON.stringify(entryPoint)}; export * from ${JSON.stringify(join(root, path))};`,
        resolveDir: root,
      }));
    },
  };
}
