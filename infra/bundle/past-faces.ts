import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** The origin of an exported name: the file that defines it, and its name there. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

const FACE = /\/index\.ts$/;
/** `import { a, type B, c as d } from './room/index.ts';`, and the same with `export`. */
const FROM_FACE = /^(import|export) \{([^}]*)\} from '(\.[^']*\/index\.ts)';/gm;
const GIVEN_OUT = /^export \{([^}]*)\} from '(\.[^']*)';/gm;

/**
 * Makes modules import each name from the file that defines it, instead of an `index.ts`. esbuild assumes that a
 * module needs every file that an imported `index.ts` names. So a start that uses one file of a folder would load
 * files that only a chunk needs. No module has side effects at load, so nothing else changes. A name that is not
 * found this way is imported as written.
 */
export const pastFaces: Plugin = {
  name: 'past-faces',
  setup({ onLoad }) {
    const faces = new Faces();
    onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      return { contents: await faces.past(path), loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

class Faces {
  readonly #faces = new Map<string, Promise<ReadonlyMap<string, Origin>>>();

  /** The text of a file with its imports replaced. The line numbers do not change. */
  async past(file: string): Promise<string> {
    const text = await readFile(file, 'utf8');
    const statements = await Promise.all(
      [...text.matchAll(FROM_FACE)].map(async ([written, word = '', names = '', face = '']) => {
        const past = await Promise.all(
          namesIn(names).map(async ([name, own]) => {
            const origin = await this.#originOf({ file: resolve(dirname(file), face), name });
            return `${word} { ${origin.name} as ${own} } from ${JSON.stringify(origin.file)};`;
          }),
        );
        return past.join(' ') + '\n'.repeat(written.split('\n').length - 1);
      }),
    );
    return text.replace(FROM_FACE, () => statements.shift() ?? '');
  }

  async #originOf({ file, name }: Origin): Promise<Origin> {
    if (!FACE.test(file)) return { file, name };
    const face = this.#faces.get(file) ?? this.#read(file);
    this.#faces.set(file, face);
    return (await face).get(name) ?? { file, name };
  }

  async #read(face: string): Promise<ReadonlyMap<string, Origin>> {
    const text = await readFile(face, 'utf8');
    const given = [...text.matchAll(GIVEN_OUT)].flatMap(([, names = '', from = '']) =>
      namesIn(names).map(async ([name, own]) => {
        const origin = await this.#originOf({ file: resolve(dirname(face), from), name });
        return [own, origin] as const;
      }),
    );
    return new Map(await Promise.all(given));
  }
}

/** Parses `a, type B, c as d` into `[['a', 'a'], ['c', 'd']]`, without types, which are not loaded. */
function namesIn(list: string): [name: string, own: string][] {
  const names = list.replace(/\/\/.*$/gm, '').split(',');
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [first = '', own = first] = name.split(' as ');
      return [first, own];
    });
}
