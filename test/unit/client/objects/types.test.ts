import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { root } from '../../../../infra/bundle/index.ts';

it('The compiler accepts what the types allow, and refuses each wrong field, path and value', async () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--skipLibCheck',
    '--exactOptionalPropertyTypes',
  ];
  const modules = [
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--allowImportingTsExtensions',
    '--types',
    'node',
  ];
  const files = ['types.ts', 'surface.ts', '../entry-types.ts'].map((name) =>
    join(import.meta.dirname, name),
  );
  const command = [compiler, ...options, ...modules, ...files];
  const run = promisify(execFile)(process.execPath, command, { cwd: root });
  const printed = await run.then(() => '').catch(({ stdout }) => stdout);
  expect(printed).toBe('');
});

it('The file of the public names has each name that the package exports', () => {
  const names = (path: string, statement: RegExp) =>
    [...readFileSync(path, 'utf8').matchAll(statement)]
      .flatMap(([, list = '']) => list.split(','))
      .map((name) => name.replace(/^\s*type /, '').trim())
      .filter((name) => name !== '')
      .sort();
  const exported = names(join(root, 'lib/client/objects/index.ts'), /export (?:type )?\{([^}]*)\}/g);
  expect(exported.length).toBeGreaterThan(70);
  expect(names(join(import.meta.dirname, 'surface.ts'), /import \{([^}]*)\}/g)).toEqual(exported);
});
