import { execFile } from 'node:child_process';
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
  const file = join(import.meta.dirname, 'types.ts');
  const run = promisify(execFile)(process.execPath, [compiler, ...options, ...modules, file], { cwd: root });
  const printed = await run.then(() => '').catch(({ stdout }) => stdout);
  expect(printed).toBe('');
});
