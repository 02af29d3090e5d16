import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(root, 'docs/selectors.md'), 'utf8');
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], index) => {
  const [heading = ''] = code.match(/(?<=import \{ ).*(?= \})/) ?? [];
  return { title: `${index + 1}: ${heading}`, file: `example-${index + 1}.ts`, code };
});

/** A folder inside the package, where the examples can import it by its name. */
let folder = '';

beforeAll(() => {
  mkdirSync(join(root, 'dist'), { recursive: true });
  folder = mkdtempSync(join(root, 'dist/docs-selectors-'));
  for (const { file, code } of examples) writeFileSync(join(folder, file), code);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] }),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the examples of docs/selectors.md', () => {
  it.each(examples)('print what their comments say ($title)', async ({ file, code }) => {
    const { stdout } = await run(process.execPath, [join(folder, file)]);
    const expected = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    expect(expected).toHaveLength(code.match(/console\.log/g)?.length ?? 0);
    expect(stdout.trimEnd().split('\n')).toEqual(expected);
  });

  it('agree with the types of the package that is imported by its name', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const checked = run(process.execPath, [tsc, '--project', folder, '--listFilesOnly']);
    expect((await checked).stdout).toContain('lib/selectors/index.ts');
    await expect(run(process.execPath, [tsc, '--project', folder])).resolves.toMatchObject({ stdout: '' });
  });
});
