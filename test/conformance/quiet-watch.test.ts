import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KubeConfig, Watch } from '@kubernetes/client-node';
import { eventually } from '../support/eventually.ts';
import { podSpec } from '../support/pod-spec.ts';
import { type Service, startService } from '../support/service/service.ts';

/** client-node gives up a watch that is silent for 30 seconds; this test has no faster way to see that. */
const SILENCE = 34_000;

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service?.stop());

describe('A watch without events', () => {
  it('Heartbeats keep a watch open, and clients do not take them for events', async () => {
    const config = new KubeConfig();
    config.loadFromClusterAndUser(
      { name: 'winnow', server: service.winnow.url, skipTLSVerify: true },
      { name: 'local' },
    );
    const told: unknown[] = [];
    let ended: unknown = 'not ended';
    const request = await new Watch(config).watch(
      ...(['/api/v1/pods', {}, (event: unknown) => told.push(event)] as const),
      (error: unknown) => {
        ended = error;
      },
    );
    await sleep(SILENCE);
    expect({ told, ended }).toEqual({ told: [], ended: 'not ended' });
    await service.http.post('/api/v1/namespaces/default/pods', {
      metadata: { name: 'late' },
      spec: podSpec(),
    });
    await eventually('the event', () => told.length > 0);
    expect({ told, ended }).toEqual({ told: ['ADDED'], ended: 'not ended' });
    request.abort();
  });
});
