import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { WatchStream } from '../../support/service/watch-stream.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it('newlines keep a quiet watch by Node alive', async () => {
  const quiet = await WatchStream.open(`${service.http.url}/apis/batch/v1/jobs?watch=true`);
  await eventually('a heartbeat', () => quiet.heartbeats > 0);
  expect(quiet.events).toEqual([]);
  expect(quiet.end).toBeUndefined();
  quiet.leave();
});
