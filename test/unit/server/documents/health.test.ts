import { beforeEach, describe, expect, it } from '@jest/globals';
import type { UserInfo } from '../../../../lib/server/index.ts';
import { UnavailableError } from '../../../../lib/store/index.ts';
import { AccessApi } from '../../../support/service/access-api.ts';

const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

let api: AccessApi;

beforeEach(async () => {
  api = await AccessApi.create();
});

const ask = async (target: string, method = 'GET') => {
  const { status, body, headers } = await api.during(api.send({ user: ADMIN }, { method, target }));
  return { status, body, type: headers['content-type'] };
};
const text = 'text/plain; charset=utf-8';
const breakTable = (how: 'fails' | 'is silent') => {
  api.table.faults.get = (_next, _key, signal) => {
    if (how === 'fails') return Promise.reject(new UnavailableError('gone'));
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(new UnavailableError('late'))),
    );
  };
};

describe('The health check with a table that answers', () => {
  it.each([
    ['/healthz', 'ok'],
    ['/livez', 'ok'],
    ['/readyz', 'ok'],
    ['/readyz/', 'ok'],
    ['/livez?verbose', '[+]ping ok\nlivez check passed\n'],
    ['/readyz?verbose', '[+]ping ok\n[+]table ok\nreadyz check passed\n'],
    ['/healthz?verbose=1', '[+]ping ok\n[+]table ok\nhealthz check passed\n'],
    ['/readyz?verbose&exclude=table', '[+]ping ok\n[+]table excluded: ok\nreadyz check passed\n'],
    [
      '/livez?verbose&exclude=etcd&exclude=a',
      '[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "etcd", "a"\nlivez check passed\n',
    ],
  ])('The path %s answers %j', async (target, body) => {
    expect(await ask(target)).toEqual({ status: 200, body, type: text });
  });
});

describe.each(['fails', 'is silent'] as const)('The health check with a table that %s', (how) => {
  it.each(['/readyz', '/readyz?verbose', '/healthz'])(
    'The path %s reports the failure of the table',
    async (target) => {
      breakTable(how);
      const [, name] = /^\/(\w+)/.exec(target) ?? [];
      expect(await ask(target)).toEqual({
        status: 500,
        body: `[+]ping ok\n[-]table failed: reason withheld\n${name} check failed\n`,
        type: text,
      });
    },
  );

  it('A failing table leaves the process alive', async () => {
    breakTable(how);
    expect(await ask('/livez')).toEqual({ status: 200, body: 'ok', type: text });
    expect((await ask('/readyz?exclude=table')).status).toBe(200);
  });
});

it('The check only reads the table', async () => {
  expect((await ask('/readyz', 'POST')).status).toBe(405);
});

const HEALTHY = `# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.
# TYPE kubernetes_healthcheck gauge
kubernetes_healthcheck{name="ping",type="healthz"} 1
kubernetes_healthcheck{name="table",type="healthz"} 1
kubernetes_healthcheck{name="ping",type="livez"} 1
kubernetes_healthcheck{name="ping",type="readyz"} 1
kubernetes_healthcheck{name="table",type="readyz"} 1
`;

describe('The metrics', () => {
  it('The path /metrics/slis answers the result of each health check', async () => {
    const type = 'text/plain; version=0.0.4; charset=utf-8';
    expect(await ask('/metrics/slis')).toEqual({ status: 200, body: HEALTHY, type });
  });

  it('The path /metrics/slis answers 0 for a check that fails', async () => {
    breakTable('fails');
    expect((await ask('/metrics/slis')).body).toBe(HEALTHY.replaceAll(/(name="table".*) 1/g, '$1 0'));
  });

  it('The path /metrics has the version too', async () => {
    const { body } = await ask('/metrics');
    expect(body).toContain('git_version="v1.33.2+winnow",go_version="",major="1",minor="33"');
    expect(String(body).endsWith(HEALTHY)).toBe(true);
  });

  it('A write to /metrics is refused', async () => {
    expect((await ask('/metrics', 'POST')).status).toBe(405);
  });
});
