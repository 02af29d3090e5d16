import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, 'docs/architecture');
const page = readdirSync(folder)
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

/** Names of AWS, and of the language of the drawings. */
const PROPER = new Set(['DynamoDB', 'ClientRequestToken', 'sequenceDiagram', 'stateDiagram']);
/** A word with a capital after a small letter: the form of names of functions, classes and fields here. */
const CODE_NAME = /\b[A-Za-z]*[a-z][A-Z]\w*\b/g;
const PATH = /\b(?:cli|docs|functions|infra|lib|test)\/[\w./-]*\w/g;

const sources = ['cli', 'functions', 'infra', 'lib']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, folder, file),
    ),
  )
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const words = new Set(sources.match(/\w+/g));

const distinct = (pattern: RegExp) => [...new Set(page.match(pattern))];

describe('docs/architecture', () => {
  it('The pages name functions and paths of the code', () => {
    expect(distinct(CODE_NAME).length).toBeGreaterThan(30);
    expect(distinct(PATH).length).toBeGreaterThan(5);
  });

  it.each(distinct(CODE_NAME).filter((name) => !PROPER.has(name)))(
    'The name %s in the pages exists in the code',
    (name) => {
      expect(words.has(name)).toBe(true);
    },
  );

  it.each(distinct(PATH))('The path %s in the pages exists', (path) => {
    expect([path, `${path}.ts`].some((one) => existsSync(join(root, one)))).toBe(true);
  });
});
