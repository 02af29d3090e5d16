import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awsToken } from '../../../lib/client/aws/index.ts';
import { connect, resource } from '../../../lib/client/objects/index.ts';
import {
  decodeToken,
  EXAMPLE_CREDENTIALS,
  eksToken,
  encodeToken,
  type SigningOptions,
} from '../../support/login/eks-token.ts';
import { fakeSts, type StsServer, startSts } from '../../support/login/fake-sts.ts';
import type { Answer } from '../../support/service/http-client.ts';
import { type Service, startService } from '../../support/service/service.ts';

const [NAMED, OTHER, MEMBER] = ['AKIANAMED00000000000', 'AKIAOTHER00000000000', 'AKIAMEMBER0000000000'];
const { secretAccessKey } = EXAMPLE_CREDENTIALS;

/** One path of every kind. API Gateway distinguishes two: `/` and everything below. */
const PATHS = [
  '/',
  '/version',
  '/healthz',
  '/openapi/v2',
  '/api',
  '/apis',
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/configmaps/made',
  '/api/v1/pods?watch=true',
  '/apis/winnow.dev/v1/namespaces/default/subscriptions/one/status',
  '//api/v1/pods',
  '/nonsense',
];
const routes = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
  PATHS.map((path) => [method, path] as const),
);

/** The component that checks the login, with the status of OPTIONS: the gateway as on AWS, or else the functions. */
const FORMS = [
  ['the authorizer', {}, 405],
  ['read and write, behind a gateway without authorizers', { emulator: 'localstack' }, 401],
] as const;

const UNAUTHORIZED = {
  kind: 'Status',
  status: 'Failure',
  code: 401,
  reason: 'Unauthorized',
  message: 'Unauthorized',
};

describe.each(FORMS)('the login, checked by %s', (_who, form, strangeMethod) => {
  let sts: StsServer;
  let service: Service;
  let clusterId: string;

  beforeAll(async () => {
    const { ask } = fakeSts({
      [NAMED]: 'arn:aws:sts::111122223333:assumed-role/Admin/alice',
      [OTHER]: 'arn:aws:iam::111122223333:user/mallory',
      [MEMBER]: 'arn:aws:sts::111122223333:assumed-role/Deployer/bob',
    });
    sts = await startSts(ask);
    const principals = ['arn:aws:iam::111122223333:role/Admin'];
    const members = ['arn:aws:iam::111122223333:role/Deployer'];
    service = await startService({ ...form, login: { principals, members, stsEndpoint: sts.endpoint } });
    clusterId = service.winnow.environment.WINNOW_CLUSTER_ID ?? '';
  });

  afterAll(async () => {
    await service.stop();
    await sts.stop();
  });

  const tokenOf = (accessKeyId: string, changes: Partial<SigningOptions> = {}) =>
    eksToken({ clusterId, date: new Date(), credentials: { accessKeyId, secretAccessKey }, ...changes });

  const edit = (token: string, change: (url: string) => string) => encodeToken(change(decodeToken(token)));

  async function ask(method: string, path: string, token?: string): Promise<Answer> {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } };
    return service.http.send(method, path, method === 'GET' ? { headers } : { headers, body });
  }

  describe('a request without a token', () => {
    it.each(routes)('%s %s gets 401 Unauthorized', async (method, path) => {
      const answer = await ask(method, path);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject(UNAUTHORIZED);
      expect(answer.headers.get('audit-id')).toMatch(/^\S+$/);
    });

    it('a method without a route is refused with a Status', async () => {
      const answer = await ask('OPTIONS', '/version');
      expect(answer.body).toMatchObject({ kind: 'Status', code: strangeMethod });
    });
  });

  describe('a request with a token of an unnamed principal', () => {
    it.each(routes)('%s %s gets 403 Forbidden', async (method, path) => {
      const answer = await ask(method, path, await tokenOf(OTHER));
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({
        kind: 'Status',
        status: 'Failure',
        code: 403,
        reason: 'Forbidden',
      });
    });
  });

  describe('a request with a token of a named principal', () => {
    it('the typed client logs in with awsToken, and its live sets follow', async () => {
      const credentials = { accessKeyId: NAMED, secretAccessKey };
      const token = awsToken({ clusterId, region: 'eu-west-1', credentials: async () => credentials });
      const maps = connect({ url: service.winnow.url, token }).objects(resource('v1', 'configmaps'), {
        namespace: 'default',
      });
      const live = maps.live('app=typed');
      const entered = new Promise<string>((resolve) =>
        live.on('add', ({ metadata }) => resolve(metadata.name)),
      );
      await live.ready;
      await maps.create({ metadata: { name: 'typed', labels: { app: 'typed' } } });
      expect(await entered).toBe('typed');
      await live.stop();
      await maps.delete('typed');
    });

    it('a SelfSubjectReview returns the user', async () => {
      const headers = { authorization: `Bearer ${await tokenOf(NAMED)}` };
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const { status, body } = await service.http.send('POST', path, { headers, body: {} });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        kind: 'SelfSubjectReview',
        status: {
          userInfo: {
            username: 'arn:aws:iam::111122223333:role/Admin',
            groups: ['system:masters', 'system:authenticated'],
            extra: { sessionName: ['alice'] },
          },
        },
      });
    });

    it('a method without a route gets 405 MethodNotAllowed', async () => {
      const answer = await ask('OPTIONS', '/version', await tokenOf(NAMED));
      expect([answer.status, answer.reason]).toEqual([405, 'MethodNotAllowed']);
    });

    it('the API answers, and the refused requests changed nothing', async () => {
      const token = await tokenOf(NAMED);
      const path = '/api/v1/namespaces/default/configmaps';
      expect((await ask('GET', path, token)).items).toEqual([]);
      expect((await ask('POST', path, token)).status).toBe(201);
      expect((await ask('GET', `${path}/made`, token)).status).toBe(200);
    });

    it.each([
      ['for another cluster', () => tokenOf(NAMED, { clusterId: 'another' })],
      [
        'with the key of somebody else',
        async () => edit(await tokenOf(OTHER), (url) => url.replace(OTHER, NAMED)),
      ],
      ['that is none of EKS', async () => 'secret'],
    ])('a token %s gets 401 Unauthorized', async (_what, make) => {
      expect((await ask('GET', '/api/v1/pods', await make())).body).toMatchObject(UNAUTHORIZED);
    });
  });

  it('a member has the username of its AccessEntry and the permissions of its roles', async () => {
    const headersOf = async (key: string) => ({ authorization: `Bearer ${await tokenOf(key)}` });
    const path = '/api/v1/namespaces/default/configmaps';
    const list = async () =>
      service.http.send('GET', path, { headers: { ...(await headersOf(MEMBER)), principal: 'x' } });
    expect((await list()).body.message).toContain(
      'User "arn:aws:iam::111122223333:role/Deployer" cannot list',
    );
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const apiGroup = 'rbac.authorization.k8s.io';
    const made = [
      [
        '/apis/winnow.dev/v1/accessentries',
        { spec: { principal: 'arn:aws:iam::111122223333:role/Deployer', username: 'bob' } },
      ],
      [`${rbac}/roles`, { rules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }] }],
      [
        `${rbac}/rolebindings`,
        {
          roleRef: { apiGroup, kind: 'Role', name: 'bob' },
          subjects: [{ apiGroup, kind: 'User', name: 'bob' }],
        },
      ],
    ] as const;
    for (const [target, body] of made) {
      const headers = await headersOf(NAMED);
      const answer = await service.http.send('POST', target, {
        headers,
        body: { metadata: { name: 'bob' }, ...body },
      });
      expect(answer.status).toBe(201);
    }
    expect((await list()).status).toBe(200);
    const secrets = await service.http.send('GET', '/api/v1/secrets', { headers: await headersOf(MEMBER) });
    expect(secrets.body.message).toContain('User "bob" cannot list resource "secrets"');
  });

  it('a login gets a 503 with Retry-After while STS is unavailable', async () => {
    await sts.stop();
    // The token is a new one, because the verdicts of earlier ones may be cached.
    const answer = await ask('GET', '/api/v1/pods', await tokenOf(NAMED, { expiresIn: 61 }));
    expect(answer.body).toMatchObject({ kind: 'Status', code: 503, reason: 'ServiceUnavailable' });
    expect(answer.headers.get('retry-after')).toBe('1');
    sts = await startSts(fakeSts({}).ask);
  });
});
