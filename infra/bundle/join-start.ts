import { join, relative } from 'node:path';
import type { Metafile, OnResolveArgs, Plugin } from 'esbuild';
import { root } from './files.ts';
import { reachedFrom } from './reached-from.ts';

/** Files that a program imports on demand, relative to the repository. */
export interface Demanded {
  readonly reached: ReadonlySet<string>;
  /** Those that only code imports that is left out. */
  readonly idle: ReadonlySet<string>;
  /** Those that are loaded as one; nothing where the program does not reach all of {@link TOGETHER}. */
  readonly together: readonly string[];
  /** Those that share something with these. */
  readonly beside: ReadonlySet<string>;
}

/** What every write of an object imports on demand, one after the other. No two export the same name. */
export const TOGETHER = [
  'lib/kubernetes/fields/facts.ts',
  'lib/server/objects/field-tracking.ts',
  'lib/server/objects/typed-kind.ts',
  'lib/kubernetes/validation/index.ts',
  'lib/kubernetes/validation/plain-kinds.ts',
];

/** What a program whose first output this is imports on demand, from a build of it with splitting. */
export function demandedIn(metafile: Metafile, entryPoint: string, first: string): Demanded {
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const all = imports.filter(({ kind, external }) => kind === 'dynamic-import' && external !== true);
  const outputs = reachedFrom(metafile, first, () => true).map(([, output]) => output);
  const reached = new Set(outputs.flatMap(({ entryPoint = '' }) => entryPoint));
  const together = TOGETHER.every((path) => reached.has(path)) ? TOGETHER : [];
  const shared = new Set(together.flatMap((path) => [...importedBy(metafile, path)]));
  for (const path of importedBy(metafile, entryPoint)) shared.delete(path);
  const shares = (path: string) => [...importedBy(metafile, path)].some((file) => shared.has(file));
  return {
    reached,
    idle: new Set(all.map(({ path }) => path).filter((path) => !reached.has(path))),
    together,
    beside: new Set([...reached].filter(shares)),
  };
}

/** A file and all that are loaded with it. */
function importedBy({ inputs }: Metafile, file: string): ReadonlySet<string> {
  const files = new Set([file]);
  for (const path of files) {
    const imports = inputs[path]?.imports.filter(
      ({ kind, external }) => kind !== 'dynamic-import' && external !== true,
    );
    for (const imported of imports ?? []) files.add(imported.path);
  }
  return files;
}

const NAMESPACE = 'on-demand';
/** In place of each of {@link TOGETHER}. */
const ALL = 'together';
/** Asked for by this plugin itself. */
const ASKED = Symbol('asked');

/**
 * Has esbuild put all that every start loads into one file. By itself it makes one for each set of modules that the
 * same imports on demand share with the start, some thirty; where each of these imports the entry point as well, they
 * all share all of it. A module that awaits such an import while it is loaded itself would wait for itself. What is
 * imported on demand by nobody is left out, and with it what it would keep. {@link TOGETHER} becomes one file in the
 * same way, where a program reaches all of it.
 */
export function joinStart(entryPoint: string, { reached, idle, together, beside }: Demanded): Plugin {
  const joined = (path: string) => [
    importing(entryPoint),
    ...(beside.has(path) ? together.map((one) => importing(join(root, one))) : []),
    ...(path === ALL ? together : [path]).map((one) => `export * from ${JSON.stringify(join(root, one))};`),
  ];
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
        if (!reached.has(path)) return undefined;
        return { path: together.includes(path) ? ALL : path, namespace: NAMESPACE };
      });
      onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
        contents: joined(path).join(' '),
        resolveDir: root,
      }));
    },
  };
}

const importing = (file: string) => `import ${JSON.stringify(file)};`;
