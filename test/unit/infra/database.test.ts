import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startDatabase } from '../../../infra/local/data/index.ts';

let directory: string;
let folder: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  folder = join(directory, 'data');
});

afterEach(() => rm(directory, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const modes = async () => {
  const names = (await readdir(folder)).filter((name) => name.startsWith('table.sqlite'));
  return Promise.all(names.map((name) => modeOf(join(folder, name))));
};
const startAndStop = async (look: () => Promise<void> = async () => {}) => {
  const database = await startDatabase({ dataDirectory: folder });
  await look().finally(() => database.stop());
};

it('only the user can read the files of the embedded DynamoDB, also those of an older release', async () => {
  await startAndStop(async () => {
    expect(await modeOf(folder)).toBe('700');
    expect([...new Set(await modes())]).toEqual(['600']);
  });
  const kept = (await readdir(folder)).filter((name) => name.startsWith('table.sqlite'));
  for (const name of kept) await chmod(join(folder, name), 0o644);
  await startAndStop(async () => expect([...new Set(await modes())]).toEqual(['600']));
});
