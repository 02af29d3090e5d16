import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { podSpec } from '../../support/pod-spec.ts';
import { Servers } from '../../support/service/start-cli.ts';

const PODS = '/api/v1/namespaces/default/pods';

let servers: Servers;

beforeAll(async () => {
  servers = await Servers.open();
});

afterAll(() => servers.close());

describe('winnow start', () => {
  it('winnow start ends when it is interrupted under load, and keeps all acknowledged writes', async () => {
    const { child, http } = await servers.start(servers.within('load'));
    let ended = false;
    const acknowledged: string[] = [];
    const agents = Array.from({ length: 24 }, async (_, agent) => {
      for (let made = 0; !ended; made += 1) {
        const name = `pod-${agent}-${made}`;
        await http.post(PODS, { metadata: { name, labels: { app: `a${made % 5}` } }, spec: podSpec() });
        acknowledged.push(name);
        await http.get(`${PODS}?labelSelector=app`);
      }
    });
    const watches = Array.from({ length: 60 }, (_, index) =>
      fetch(`${http.url}${PODS}?watch=true&labelSelector=app%3Da${index % 5}`).then((answer) =>
        answer.text(),
      ),
    );
    const loaded = Promise.allSettled([...agents, ...watches]);
    await eventually('some are written', () => acknowledged.length > 50, 60_000);
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    // Without an explicit exit, the process lives for minutes, as long as its watches and its interrupted requests.
    const late = AbortSignal.timeout(20_000);
    const outcome = await Promise.race([exit, once(late, 'abort').then(() => 'late')]);
    ended = true;
    expect(outcome).toEqual([0, null]);
    await loaded;

    const again = await servers.start(servers.within('load'));
    const names = await again.http.names(PODS);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    again.child.kill('SIGINT');
    again.child.kill('SIGTERM');
    await once(again.child, 'exit');
  });
});
