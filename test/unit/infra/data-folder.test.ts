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

/** Starts another process that holds the folder. */
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

describe('a data folder', () => {
  it('a missing data folder is created with its parents', () => {
    const folder = openDataFolder(within('a', 'b', 'c'));
    expect(folder.path).toBe(within('a', 'b', 'c'));
    folder.release();
  });

  it('a data folder belongs to one server, and another server gets an error that names it', async () => {
    const child = await holder(within('held'));
    const says = `is in use by another winnow at http://127.0.0.1:8080 \\(process ${child.pid}, since 2\\d\\d\\d-`;
    expect(() => openDataFolder(within('held'))).toThrow(new RegExp(says));
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The file of the dead process is still there, but it does not decide.
    openDataFolder(within('held')).release();
  });

  it('a data folder belongs to one server also within a process', () => {
    const folder = openDataFolder(within('twice'));
    expect(() => openDataFolder(within('twice'))).toThrow(`process ${process.pid}`);
    folder.release();
    openDataFolder(within('twice')).release();
  });

  it('the error names no holder if its file is damaged', async () => {
    const child = await holder(within('torn'));
    await writeFile(within('torn', 'server.json'), '{"pid":');
    expect(() => openDataFolder(within('torn'))).toThrow('is in use by another winnow');
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it.each([
    ['in place of a file', ['file']],
    ['below a file', ['file', 'below', 'it']],
  ])('a data folder %s is refused', async (_where, names) => {
    await writeFile(within('file'), '');
    expect(() => openDataFolder(within(...names))).toThrow('this path, or a part of it, is a file');
  });

  // Linux reports ENOENT for a folder that may not be created there.
  it.each(['/proc/nosuch', '/proc/nosuch/below'])('the data folder %s is refused', (path) => {
    expect(() => openDataFolder(path)).toThrow(`cannot store data in ${path}: it cannot be created there`);
  });
});
