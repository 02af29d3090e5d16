import { describe, expect, it } from '@jest/globals';
import { holdsSecret } from '../../../../lib/kubernetes/audit/index.ts';

const PASSWORD = 'aHVudGVyMg==';
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { password: PASSWORD } };
const token = `eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ1cm46d2lubm93In0.${'c2ln'.repeat(20)}`;
const holds = (body: unknown, hasData = false) => holdsSecret(body, { hasData });

describe('a body that holds a Secret or a token', () => {
  it.each<[what: string, body: unknown]>([
    ['a Secret', secret],
    ['a Secret that has nothing', { kind: 'Secret' }],
    ['a Secret in another case', { ...secret, kind: 'secret' }],
    ['a SecretList', { kind: 'SecretList', items: [{ metadata: {}, data: { password: PASSWORD } }] }],
    ['a List with a Secret', { kind: 'List', apiVersion: 'v1', items: [{ kind: 'ConfigMap' }, secret] }],
    ['a list whose items have no kind', { items: [{ metadata: { name: 's' }, data: { a: PASSWORD } }] }],
    ['a Secret without a kind', { metadata: { name: 's' }, data: { password: PASSWORD } }],
    ['a Secret without a kind, by its type', { type: 'Opaque', data: { password: PASSWORD } }],
    ['a Secret without a kind, in the clear', { metadata: {}, stringData: { password: 'hunter2' } }],
    [
      'a template of a Secret',
      { kind: 'SealedSecret', spec: { template: { type: 'Opaque', data: { a: '' } } } },
    ],
    ['a Secret far down', { kind: 'Pod', a: [[{ b: { c: [secret] } }]] }],
    ['a JSON patch that adds a Secret', [{ op: 'add', path: '/spec/object', value: secret }]],
    ['a JSON patch of a Secret', [{ op: 'add', path: '/stringData/password', value: 'hunter2' }]],
    ['a TokenReview', { kind: 'TokenReview', spec: { token: 'hunter2' } }],
    ['a TokenRequest', { kind: 'TokenRequest', spec: {}, status: { token: 'hunter2' } }],
    ['a signed token', { kind: 'Pod', spec: { containers: [{ env: [{ name: 'A', value: token }] }] } }],
    ['a token of AWS', { kind: 'Pod', spec: { a: `k8s-aws-v1.${'aHR0cHM6Ly9zdHM'.repeat(4)}` } }],
    ['a token as the name of a field', { kind: 'Pod', spec: { [token]: 1 } }],
    [
      'what kubectl applied last',
      {
        kind: 'Pod',
        metadata: {
          annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(secret) },
        },
      },
    ],
    ['a manifest in YAML', { kind: 'ConfigMap', data: { 'a.yaml': 'kind: Secret\ndata: {}\n' } }],
    ['a manifest in JSON that is escaped twice', { a: JSON.stringify({ b: JSON.stringify(secret) }) }],
    ['a Secret as a text', JSON.stringify(secret)],
  ])('holdsSecret finds a secret in %s', (_what, body) => {
    expect(holds(body)).toBe(true);
  });
});

describe('a body without a Secret or a token', () => {
  it.each<[what: string, body: unknown, hasData?: boolean]>([
    ['a Pod', { kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } }],
    ['a ConfigMap', { kind: 'ConfigMap', metadata: { name: 'a' }, data: { color: 'red' } }],
    ['a ConfigMap without a kind', { metadata: { name: 'a' }, data: { color: 'red' } }, true],
    [
      'a List of ConfigMaps',
      { kind: 'List', items: [{ kind: 'ConfigMap', metadata: {}, data: { a: 'b' } }] },
    ],
    [
      'a volume of a Secret',
      { kind: 'Pod', spec: { volumes: [{ name: 'v', secret: { secretName: 's' } }] } },
    ],
    [
      'a reference to a Secret',
      { kind: 'Gateway', spec: { certificateRefs: [{ kind: 'Secret', name: 's' }] } },
    ],
    ['a bundle of authorities', { kind: 'X', spec: { caBundle: 'LS0tLS1CRUdJTi' } }],
    ['nothing', null],
    ['a number', 1],
    ['a text', 'Secret'],
  ])('holdsSecret finds no secret in %s', (_what, body, hasData = false) => {
    expect(holds(body, hasData)).toBe(false);
  });
});

it('holdsSecret walks a very deep body without a stack overflow', () => {
  let body: unknown = secret;
  for (let depth = 0; depth < 100_000; depth += 1) body = [body];
  expect(holds(body)).toBe(true);
});
