import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { podSpec } from '../../support/pod-spec.ts';
import { LAUNCHER, winnow } from '../../support/service/run-cli.ts';
import { Servers } from '../../support/service/start-cli.ts';

const PODS = '/api/v1/namespaces/default/pods';

let servers: Servers;

beforeAll(async () => {
  servers = await Servers.open();
});

afterAll(() => servers.close());

const refused = (port: string, data: string) =>
  winnow('start', '--port', port, '--data', data, '--kubeconfig', servers.within('refused'));

describe('winnow start', () => {
  it('winnow start holds its folder and its port exclusively until it ends in any way', async () => {
    const first = await servers.start(servers.within('data'));
    await first.http.post(PODS, { metadata: { name: 'kept' }, spec: podSpec() });
    const { port } = new URL(first.http.url);
    const second = await refused('0', servers.within('data'));
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.errors).toContain(
      `in use by another winnow at ${first.http.url} (process ${first.child.pid},`,
    );
    const third = await refused(port, servers.within('other'));
    expect(third).toMatchObject({ code: 1, out: '' });
    expect(third.errors).toContain(
      `cannot listen on port ${port} of 127.0.0.1: another program listens there`,
    );

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const again = await servers.start(servers.within('data'));
    expect((await again.http.get(`${PODS}/kept`)).body.metadata.name).toBe('kept');
    again.child.kill('SIGTERM');
    expect(await once(again.child, 'exit')).toEqual([0, null]);
  });

  it.each(['/proc/nosuch', LAUNCHER, join(LAUNCHER, 'below')])(
    'winnow start reports why it cannot store data in %s',
    async (data) => {
      const { code, out, errors } = await refused('0', data);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(errors).toContain(`cannot store data in ${data}: `);
    },
  );
});
