import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startQueues } from '../../../infra/local/queues.ts';
import { listenOn } from '../../../infra/loopback-guard/index.ts';

let folder: string;
let portFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-port-'));
  portFile = join(folder, 'queues.port');
});

afterEach(() => rm(folder, { recursive: true }));

const start = () => startQueues({ region: 'us-east-1', portFile });

it('the embedded queues have the same port after a restart with the same data', async () => {
  const first = await start();
  await first.stop();
  const second = await start();
  await second.stop();
  expect(second.endpoint).toBe(first.endpoint);
});

it('the embedded queues take a free port if another program has theirs, and keep that one', async () => {
  const other = createServer();
  const taken = await listenOn(other, 0);
  await writeFile(portFile, String(taken));
  const queues = await start();
  await queues.stop();
  other.close();
  expect(queues.endpoint).not.toBe(`http://127.0.0.1:${taken}`);
  expect(queues.endpoint).toBe(`http://127.0.0.1:${await readFile(portFile, 'utf8')}`);
});

it('the embedded queues take a free port if the file of their port is damaged', async () => {
  await writeFile(portFile, 'no port');
  const queues = await start();
  await queues.stop();
  expect(await readFile(portFile, 'utf8')).toMatch(/^\d+$/);
});
