import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { explainPort, Fault } from '../../../cli/connection/index.ts';
import { listenOn } from '../../../infra/loopback-guard/index.ts';

it('names the option --port if another program listens on the port', async () => {
  const other = createServer();
  const port = await listenOn(other, 0);
  const error = explainPort(await listenOn(createServer(), port).catch((cause) => cause));
  other.close();
  expect(error).toBeInstanceOf(Fault);
  expect(error).toMatchObject({
    message: `cannot listen on port ${port} of 127.0.0.1: another program listens there`,
    advice: expect.stringContaining('--port'),
  });
});

it('returns any other error unchanged', () => {
  const error = new Error('the disk is full');
  expect(explainPort(error)).toBe(error);
});
