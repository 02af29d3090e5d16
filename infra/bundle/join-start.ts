import { join, relative } from 'node:path';
import type { Metafile, OnResolveArgs, Plugin } from 'esbuild';
import { root } from './files.ts';
import { reachedFrom } from './reached-from.ts';

/** The files that a program imports dynamically, relative to the repository. */
export interface Demanded {
  readonly reached: ReadonlySet<string>;
  /** The files that only removed code imports. */
  readonly idle: ReadonlySet<string>;
  /** The files that are loaded as one; empty if the program does not reach all of {@link TOGETHER}. */
  readonly together: readonly string[];
  /** The files that share code with these. */
  readonly beside: ReadonlySet<string>;
}

/**
 * The modules that every write of an object imports dynamically, one after the other. No two of these modules export
 * the same name.
 */
export const TOGETHER = [
  'lib/kubernetes/fields/facts.ts',
  'lib/server/objects/field-tracking.ts',
  'lib/server/objects/typed-kind.ts',
  'lib/kubernetes/validation/index.ts',
  'lib/kubernetes/validation/plain-kinds.ts',
];

/** Finds the dynamic imports of a program, in a build with splitting whose first output is `first`. */
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

/** A file and all files that it imports statically. */
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
/** The virtual module that replaces each module of {@link TOGETHER}. */
const ALL = 'together';
/** Marks requests of this plugin itself. */
const ASKED = Symbol('asked');

/**
 * Makes esbuild put all code that every start loads into one file. By default it creates about thirty files: one for
 * each set of modules that the same dynamic imports share with the start. If each dynamic import also imports the entry
 * point, every import shares all modules of the start. A module must not await such an import while the module itself
 * is being loaded: it would wait for itself.
 *
 * Dynamic imports that no code reaches are left out, with the code that only they need. {@link TOGETHER} becomes one
 * file in the same way, if a program reaches all of it.
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
