import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LocalWinnow } from '../../infra/local/start-local.ts';
import { TokenUsers } from '../../infra/local/trust/index.ts';
import { Issuer, signed, signingKey } from '../support/login/issuer.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';

const users = new TokenUsers();
users.add('token-of-admin', { username: 'admin', groups: ['system:masters'] });
users.add('token-of-jane', { username: 'jane', uid: '7', groups: ['fleet'] });

let cluster: Cluster;
let issuer: Issuer;

beforeAll(async () => {
  issuer = await Issuer.start();
  const claimMappings = {
    username: { claim: 'sub', prefix: 'oidc:' },
    groups: { claim: 'groups', prefix: 'oidc:' },
  };
  const authenticationConfig = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [{ issuer: { url: issuer.url, audiences: ['winnow'] }, claimMappings }],
  });
  cluster = await startCluster({
    tls: true,
    users,
    authenticationConfig,
    serviceAccountTokens: true,
    token: 'token-of-admin',
  });
});

afterAll(async () => {
  await cluster?.stop();
  await issuer.stop();
});

/** Runs kubectl with another token than that of the kubeconfig. */
const kubectl = (token: string, line: string) =>
  `sed 's/token: .*/token: ${token}/' "$KUBECONFIG" >"$HOME/other" && kubectl --kubeconfig "$HOME/other" ${line}`;

/** The status of the answer to a request without a token. */
const statusOf = ({ url, authority }: LocalWinnow) =>
  new Promise((resolve, reject) => {
    https
      .get(`${url}/version`, { ca: authority, agent: false }, (answer) => resolve(answer.resume().statusCode))
      .once('error', reject);
  });

it('Winnow refuses a client without a valid token, and kubectl refuses a server with an unknown certificate', async () => {
  const { terminal, service } = cluster;
  expect(await terminal.run('kubectl get namespaces -o name')).toContain('namespace/default');
  expect(await terminal.refused(kubectl('token-of-nobody', 'get namespaces'))).toContain('(Unauthorized)');
  expect(await statusOf(service.winnow)).toBe(401);
  const strange = `sed '/certificate-authority-data/d' "$KUBECONFIG" >"$HOME/strange" && kubectl --kubeconfig "$HOME/strange"`;
  expect(await terminal.refused(`${strange} get namespaces`)).toContain(
    'certificate signed by unknown authority',
  );
});

it('A token has the rights that roles and bindings give its user', async () => {
  const { terminal } = cluster;
  const pods = 'get pods --namespace default';
  const refused = 'User "jane" cannot list resource "pods"';
  expect(await terminal.refused(kubectl('token-of-jane', pods))).toContain(refused);
  await terminal.run('kubectl create rolebinding readers --clusterrole=view --group=fleet -n default');
  expect(await terminal.run(kubectl('token-of-jane', `${pods} -o name`))).toBe('');
  expect(await terminal.run(kubectl('token-of-jane', 'auth can-i list pods -n default'))).toBe('yes');
  const other = kubectl('token-of-jane', `${pods} --as joe`);
  expect(await terminal.refused(other)).toContain('users "joe" is forbidden: User "jane" cannot impersonate');
  await terminal.run('kubectl delete rolebinding readers -n default');
  expect(await terminal.refused(kubectl('token-of-jane', pods))).toContain(refused);
});

it('Winnow accepts tokens of a configured issuer, with the rights that roles and bindings give their users', async () => {
  const { terminal } = cluster;
  const key = await signingKey('one');
  issuer.keys = [key.jwk];
  const claims = { iss: issuer.url, aud: 'winnow', sub: 'jane', groups: ['fleet'] };
  const now = Math.floor(Date.now() / 1_000);
  const token = await signed({ ...claims, exp: now + 600 }, key);
  const pods = 'get pods --namespace default -o name';
  expect(await terminal.refused(kubectl(token, pods))).toContain(
    'User "oidc:jane" cannot list resource "pods"',
  );
  await terminal.run('kubectl create rolebinding oidc --clusterrole=view --group=oidc:fleet -n default');
  expect(await terminal.run(kubectl(token, pods))).toBe('');
  for (const bad of [
    await signed({ ...claims, exp: now - 1 }, key),
    await signed({ ...claims, exp: now + 600, aud: 'other' }, key),
    await signed({ ...claims, exp: now + 600 }, { ...(await signingKey('one')) }),
    `k8s-aws-v1.${token.replaceAll('.', '')}`,
  ]) {
    expect(await terminal.refused(kubectl(bad, pods))).toContain('(Unauthorized)');
  }
});

describe('A token of a service account', () => {
  const robots = 'system:serviceaccounts:robots';

  it('kubectl create token issues a token that is valid while its account exists', async () => {
    const { terminal } = cluster;
    await terminal.run('kubectl create namespace robots');
    await terminal.run('kubectl create serviceaccount robot -n robots');
    await terminal.run(`kubectl create rolebinding robots --clusterrole=view --group=${robots} -n robots`);
    const token = await terminal.run('kubectl create token robot -n robots');
    const pods = 'get pods -n robots -o name';
    expect(await terminal.run(kubectl(token, pods))).toBe('');
    const other = 'User "system:serviceaccount:robots:robot" cannot list resource "pods"';
    expect(await terminal.refused(kubectl(token, 'get pods -n default'))).toContain(other);
    const forOthers = await terminal.run('kubectl create token robot -n robots --audience vault');
    expect(await terminal.refused(kubectl(forOthers, pods))).toContain('(Unauthorized)');
    await terminal.run('kubectl delete serviceaccount robot -n robots');
    expect(await terminal.refused(kubectl(token, pods))).toContain('(Unauthorized)');
    await terminal.run('kubectl create serviceaccount robot -n robots');
    expect(await terminal.refused(kubectl(token, pods))).toContain('(Unauthorized)');
  });

  it('A bound token is valid while the object that it is bound to exists', async () => {
    const { terminal } = cluster;
    await terminal.run('kubectl create secret generic bound -n robots');
    const bound = '--bound-object-kind Secret --bound-object-name bound --duration 10m';
    const token = await terminal.run(`kubectl create token robot -n robots ${bound}`);
    expect(await terminal.run(kubectl(token, 'auth can-i list pods -n robots'))).toBe('yes');
    await terminal.run('kubectl delete secret bound -n robots');
    expect(await terminal.refused(kubectl(token, 'auth can-i list pods -n robots'))).toContain(
      'Unauthorized',
    );
  });

  it('A TokenReview returns the user and audiences of a token to callers with that right', async () => {
    const { terminal } = cluster;
    const review = (token: string, ...audiences: string[]) => {
      const spec = JSON.stringify({ token, audiences });
      return `create -o json -f - <<'EOF'
{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": ${spec}}
EOF`;
    };
    const statusOfReview = async (...asked: [string, ...string[]]) =>
      JSON.parse(await terminal.run(`kubectl ${review(...asked)}`)).status;
    await terminal.run('kubectl create serviceaccount guest -n robots');
    await terminal.run('kubectl create secret generic ticket -n robots');
    const bound = '--bound-object-kind Secret --bound-object-name ticket';
    const token = await terminal.run(`kubectl create token guest -n robots --audience vault ${bound}`);
    expect(await statusOfReview(token, 'bank', 'vault')).toEqual({
      authenticated: true,
      audiences: ['vault'],
      user: {
        username: 'system:serviceaccount:robots:guest',
        uid: expect.any(String),
        groups: ['system:serviceaccounts', robots, 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)] },
      },
    });
    expect(await statusOfReview(token)).toEqual({
      user: {},
      error: expect.stringMatching(
        /^\[invalid bearer token, token audiences \["vault"\] is invalid for the target audiences \["urn:winnow:.+"\]\]$/,
      ),
    });
    expect(await statusOfReview('a.b.c')).toEqual({ user: {}, error: 'invalid bearer token' });
    const asJane = kubectl('token-of-jane', review(token, 'vault'));
    expect(await terminal.refused(asJane)).toContain('cannot create resource "tokenreviews"');
    await terminal.run(
      'kubectl create clusterrolebinding asks --clusterrole=system:auth-delegator --user=jane',
    );
    expect(JSON.parse(await terminal.run(asJane)).status.authenticated).toBe(true);
    await terminal.run('kubectl delete secret ticket -n robots');
    expect(await statusOfReview(token, 'vault')).toEqual({
      user: {},
      error: '[invalid bearer token, service account token has been invalidated]',
    });
    await terminal.run('kubectl delete serviceaccount guest -n robots');
    expect((await statusOfReview(token, 'vault')).error).toContain('serviceaccounts "guest" not found');
  });

  it('kubectl create token is refused for a caller without that right', async () => {
    const { terminal } = cluster;
    const refused = 'cannot create resource "serviceaccounts/token"';
    expect(await terminal.refused(kubectl('token-of-jane', 'create token robot -n robots'))).toContain(
      refused,
    );
  });
});
