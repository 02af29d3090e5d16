import { describe, expect, it } from '@jest/globals';
import type { RequestBudget } from '../../../lib/budget/index.ts';
import { createApi, type UserInfo } from '../../../lib/server/index.ts';
import { createMemoryApi } from '../../support/service/memory-api.ts';

const PODS = '/api/v1/namespaces/default/pods';
const ALICE: UserInfo = { username: 'alice', groups: ['system:authenticated'] };

/** A budget that is used up for some names; it records who requested. */
function budgetOf(...usedUp: string[]) {
  const asked: string[] = [];
  const budget: RequestBudget = {
    rate: 50,
    burst: 200,
    take: async (user) => {
      asked.push(user);
      return usedUp.includes(user) ? { retryAfterSeconds: 3 } : undefined;
    },
  };
  return { asked, budget };
}

describe('A request beyond its budget', () => {
  it('The request is answered with 429 in the words of Kubernetes, and with the retry time', async () => {
    const { budget } = budgetOf('alice');
    const api = await createMemoryApi(1, undefined, { budget });
    const { status, headers, body } = await api.as(ALICE).send('GET', PODS);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('3');
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'Too many requests, please try again later: user "alice" may make 50 requests a second, and 200 at once',
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 3 },
      code: 429,
    });
  });

  it('The request changes nothing', async () => {
    const { budget } = budgetOf('alice');
    const api = await createMemoryApi(1, undefined, { budget });
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'all' },
      rules,
    };
    await api.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', role);
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    const path = '/api/v1/namespaces/default/configmaps';
    expect((await api.as(ALICE).send('POST', path, configMap)).status).toBe(429);
    expect((await api.ask('GET', path)).items).toEqual([]);
  });

  it('A user in system:masters has no budget', async () => {
    const { budget, asked } = budgetOf('admin');
    const api = await createMemoryApi(1, undefined, { budget });
    await api.ask('GET', PODS);
    expect(asked).toEqual([]);
  });

  it('The request is refused before its login is looked up in the table', async () => {
    const { budget } = budgetOf('system:serviceaccount:default:robot');
    const api = await createMemoryApi();
    const unread = () => {
      throw new Error('the table was asked');
    };
    const { world, clock } = api.memory;
    const lone = createApi({
      verbs: {},
      store: { ...world.store, within: unread },
      watches: { open: unread },
      clock,
      random: world.random,
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      announce: async () => {},
      budget,
    });
    const answer = await lone.handle(
      {
        method: 'GET',
        path: PODS,
        query: new URLSearchParams(),
        headers: {},
        user: { username: 'system:serviceaccount:default:robot', groups: [] },
        bound: [{ resource: 'serviceaccounts', namespace: 'default', name: 'robot', uid: '1' }],
      },
      new AbortController().signal,
    );
    expect(answer.status).toBe(429);
  });
});

describe('The user whose budget a request uses', () => {
  const ROLE = 'arn:aws:iam::111122223333:role/Admin';

  it.each([
    ['the user of a token', ALICE, undefined, 'alice'],
    [
      'a service account by its name',
      { username: 'system:serviceaccount:a:b', groups: [] },
      undefined,
      'system:serviceaccount:a:b',
    ],
    [
      'the role, whatever its session is called',
      { username: ROLE, groups: [], extra: { sessionName: ['x'] } },
      ROLE,
      ROLE,
    ],
    ['the principal, whatever an AccessEntry calls it', { username: 'jane', groups: [] }, ROLE, ROLE],
    [
      'all federated users of an account together, whose names are chosen by the caller',
      { username: 'arn:aws:sts::111122223333:federated-user/x', groups: [] },
      'arn:aws:sts::111122223333:federated-user/x',
      'arn:aws:sts::111122223333:federated-user',
    ],
    [
      'a user of an issuer by its whole name',
      { username: 'oidc:federated-user/x', groups: [] },
      undefined,
      'oidc:federated-user/x',
    ],
  ] as const)('%s', async (_title, user, principal, name) => {
    const { budget, asked } = budgetOf();
    const api = await createMemoryApi(1, undefined, { budget });
    await api.by({ user, principal }).send('GET', PODS);
    expect(asked).toEqual([name]);
  });

  it('The request counts for the user who impersonates, not for the impersonated one', async () => {
    const { budget, asked } = budgetOf();
    const api = await createMemoryApi(1, undefined, { budget });
    await api.by({ user: ALICE, impersonation: { 'impersonate-user': ['bob'] } }).send('GET', PODS);
    expect(asked).toEqual(['alice']);
  });
});
