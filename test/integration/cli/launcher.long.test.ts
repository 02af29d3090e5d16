import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { launcherUnder } from '../../support/service/run-cli.ts';

let directory: string;
let launcher: ChildProcess;
let said: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  const own = ['--port', '0', '--no-console', '--data', directory];
  const options = [...own, '--kubeconfig', join(directory, 'kubeconfig')];
  launcher = spawn(process.execPath, [...launcherUnder('20.0.0'), 'start', ...options], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  said = '';
  for (const output of [launcher.stdout, launcher.stderr]) output?.on('data', (text) => (said += text));
});

afterEach(async () => {
  for (const pid of await processes()) process.kill(pid, 'SIGKILL');
  await rm(directory, { recursive: true, maxRetries: 3 });
});

/** The processes with the folder in their command line, including the launcher. */
async function processes(): Promise<number[]> {
  const found = await Promise.all(
    (await readdir('/proc')).filter(Number).map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return line.includes(directory) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

it('a server and its database end when their launcher is killed', async () => {
  await eventually('it starts', () => said.includes('runs at'), 540_000);
  // The launcher, the server, the shell that watches the database, and the database.
  expect((await processes()).length).toBeGreaterThanOrEqual(4);
  launcher.kill('SIGKILL');
  await once(launcher, 'exit');
  await eventually('all are gone', async () => (await processes()).length === 0, 60_000);
});

it('an interrupt of the launcher ends the server, and the launcher exits with 0', async () => {
  await eventually('it starts', () => said.includes('runs at'), 540_000);
  launcher.kill('SIGINT');
  expect(await once(launcher, 'exit')).toEqual([0, null]);
  expect(await processes()).toEqual([]);
});
