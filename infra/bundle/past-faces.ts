import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** Where a name comes from: the file that defines it, and what it is called there. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

const FACE = /\/index\.ts$/;
/** `import { a, type B, c as d } from './room/index.ts';`, and the same with `export`. */
const FROM_FACE = /^(import|export) \{([^}]*)\} from '(\.[^']*\/index\.ts)';/gm;
const GIVEN_OUT = /^export \{([^}]*)\} from '(\.[^']*)';/gm;

/**
 * Has modules import what they need from where it is defined, and not through the faces of rooms. esbuild takes each
 * file that a face names to be needed by whoever imports the face: what only a chunk uses of a room would be loaded by
 * every start that uses something else of it. No module does anything when it is loaded, so nothing else changes; a
 * name that is not found this way is imported as it is written.
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

  /** The text of a file that imports past faces. Its lines stay where they are. */
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

/** `a, type B, c as d` as `[['a', 'a'], ['c', 'd']]`: types are nothing to load. */
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
