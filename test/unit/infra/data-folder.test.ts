import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDataFolder } from '../../../infra/local/data/data-folder.ts';

const MODULE = join(import.meta.dirname, '../../../infra/local/data/data-folder.ts');

let directory: string;
const within = (...names: string[]) => join(directory, ...names);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-test-'));
});

afterAll(() => rm(directory, { recursive: true }));

/** Another process that holds the folder. */
async function holder(path: string) {
  const script = `
    import { openDataFolder } from ${JSON.stringify(MODULE)};
    openDataFolder(${JSON.stringify(path)}).announce('http://127.0.0.1:8080');
    console.log('held');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], { env: {} });
  await once(child.stdout, 'data');
  return child;
}

describe('The data folder of a server', () => {
  it('The data folder is created if missing, with its parents', () => {
    const folder = openDataFolder(within('a', 'b', 'c'));
    expect(folder.path).toBe(within('a', 'b', 'c'));
    folder.release();
  });

  it('The data folder belongs to one server, and a second server gets the name of the first', async () => {
    const child = await holder(within('held'));
    const says = `is in use by another winnow at http://127.0.0.1:8080 \\(process ${child.pid}, since 2\\d\\d\\d-`;
    expect(() => openDataFolder(within('held'))).toThrow(new RegExp(says));
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The file of the dead server still exists, and does not decide.
    openDataFolder(within('held')).release();
  });

  it('The data folder belongs to one server within a process, too', () => {
    const folder = openDataFolder(within('twice'));
    expect(() => openDataFolder(within('twice'))).toThrow(`process ${process.pid}`);
    folder.release();
    openDataFolder(within('twice')).release();
  });

  it('The error names no unknown holder', async () => {
    const child = await holder(within('torn'));
    await writeFile(within('torn', 'server.json'), '{"pid":');
    expect(() => openDataFolder(within('torn'))).toThrow('is in use by another winnow');
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it.each([
    ['in place of a file', ['file']],
    ['below a file', ['file', 'below', 'it']],
  ])('A folder %s cannot be created', async (_where, names) => {
    await writeFile(within('file'), '');
    expect(() => openDataFolder(within(...names))).toThrow('a file is in its place, or in its path');
  });

  // Linux answers ENOENT for a folder that no user may create.
  it.each(['/proc/nosuch', '/proc/nosuch/below'])('The folder %s cannot be created', (path) => {
    expect(() => openDataFolder(path)).toThrow(`cannot store data in ${path}: it cannot be created there`);
  });
});
