import { beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt, valueAt } from '../../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../../support/service/memory-api.ts';

const REVIEWS = '/apis/winnow.dev/v1/reachabilityreviews';
const MERGE = 'application/merge-patch+json';

let api: MemoryApi;

const pod = (namespace: string, name: string, labels: JsonObject, spec: JsonObject = {}) =>
  api.ask('POST', `/api/v1/namespaces/${namespace}/pods`, {
    metadata: { name, labels },
    spec: {
      containers: [{ name: 'c', image: 'i', ports: [{ name: 'redis', containerPort: 6379 }] }],
      ...spec,
    },
  });

const policy = (namespace: string, name: string, spec: JsonObject) =>
  api.ask('POST', `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`, {
    metadata: { name },
    spec,
  });

const has = (namespace: string, name: string, status: JsonObject) =>
  api.ask('PATCH', `/api/v1/namespaces/${namespace}/pods/${name}/status`, { status }, MERGE);

const DB = { namespace: 'default', name: 'db' };
const WEB = { namespace: 'shop', name: 'web' };

beforeAll(async () => {
  api = await createMemoryApi();
  await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop', labels: { project: 'shop' } } });
  const sidecar = {
    name: 's',
    image: 'i',
    restartPolicy: 'Always',
    ports: [{ name: 'metrics', containerPort: 9100, protocol: 'UDP' }],
  };
  await pod('default', 'db', { role: 'db' }, { initContainers: [sidecar] });
  await pod('shop', 'web', { role: 'frontend' });
  await pod('shop', 'host', { role: 'frontend' }, { hostNetwork: true });
  await has('default', 'db', { podIPs: [{ ip: '10.0.0.1' }], hostIPs: [{ ip: '192.168.0.1' }] });
  await policy('default', 'db', {
    podSelector: { matchLabels: { role: 'db' } },
    ingress: [
      { ports: [{ port: 'metrics', protocol: 'UDP' }] },
      {
        from: [
          {
            namespaceSelector: { matchLabels: { project: 'shop' } },
            podSelector: { matchLabels: { role: 'frontend' } },
          },
          { ipBlock: { cidr: '172.17.0.0/16', except: ['172.17.1.0/24'] } },
        ],
        ports: [{ port: 'redis' }],
      },
    ],
  });
  await policy('shop', 'out', {
    podSelector: {},
    policyTypes: ['Egress'],
    egress: [{ to: [{ podSelector: {} }] }],
  });
  await policy('shop', 'web', {
    podSelector: { matchLabels: { role: 'frontend' } },
    policyTypes: ['Egress'],
    egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/24' } }] }],
  });
});

async function ask(spec: JsonObject): Promise<JsonObject> {
  const answer = await api.ask('POST', REVIEWS, {
    apiVersion: 'winnow.dev/v1',
    kind: 'ReachabilityReview',
    spec,
  });
  return objectAt(answer.status);
}

/** The decision, and the reason for each direction. */
async function judged(spec: JsonObject): Promise<unknown[]> {
  const status = await ask(spec);
  return [status.decision, valueAt(status, 'egress.reason'), valueAt(status, 'ingress.reason')];
}

describe('POST of a ReachabilityReview', () => {
  it('A ReachabilityReview names the rule and the policy that decide each direction', async () => {
    expect(await ask({ from: WEB, to: DB, port: 'redis' })).toEqual({
      decision: 'Allowed',
      port: 6379,
      egress: {
        decision: 'Allowed',
        reason: 'RuleAllows',
        message: 'egress[0] of NetworkPolicy shop/web allows it',
        policy: { namespace: 'shop', name: 'web' },
        rule: 0,
        selectedBy: [
          { namespace: 'shop', name: 'out' },
          { namespace: 'shop', name: 'web' },
        ],
      },
      ingress: {
        decision: 'Allowed',
        reason: 'RuleAllows',
        message: 'ingress[1] of NetworkPolicy default/db allows it',
        policy: { namespace: 'default', name: 'db' },
        rule: 1,
        selectedBy: [{ namespace: 'default', name: 'db' }],
      },
    });
  });

  it('A ReachabilityReview accepts a port of a sidecar by its name and its number', async () => {
    const asked = { from: { ip: '192.0.2.1' }, to: DB, protocol: 'UDP' };
    expect(await judged({ ...asked, port: 'metrics' })).toEqual(['Allowed', 'NotAPod', 'RuleAllows']);
    expect(await judged({ ...asked, port: 9100 })).toEqual(['Allowed', 'NotAPod', 'RuleAllows']);
    expect(await judged({ ...asked, port: 9101 })).toEqual(['Denied', 'NotAPod', 'NoRuleAllows']);
  });

  it('A ReachabilityReview accepts hypothetical pods by their labels', async () => {
    const labels = { namespace: 'shop', labels: { role: 'frontend' } };
    expect(await judged({ from: labels, to: DB, port: 6379 })).toEqual([
      'Allowed',
      'RuleAllows',
      'RuleAllows',
    ]);
    const others = { namespace: 'shop', labels: { role: null } };
    expect(await judged({ from: others, to: DB, port: 6379 })).toEqual([
      'Denied',
      'NoRuleAllows',
      'NoAddress',
    ]);
  });

  it('A ReachabilityReview accepts addresses, and recognizes those of Services and nodes', async () => {
    const from = (ip: string) => judged({ from: { ip }, to: DB, port: 6379 });
    expect(await from('172.17.0.9')).toEqual(['Allowed', 'NotAPod', 'RuleAllows']);
    expect(await from('172.17.1.9')).toEqual(['Denied', 'NotAPod', 'NoRuleAllows']);
    expect(await from('192.168.0.1')).toEqual(['Allowed', 'NotAPod', 'OwnNode']);
    const service = await api.ask('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'db' },
      spec: { selector: { role: 'db' }, ports: [{ port: 6379 }], externalIPs: ['203.0.113.7'] },
    });
    for (const ip of [String(valueAt(service, 'spec.clusterIP')), '203.0.113.7']) {
      const status = await ask({ from: WEB, to: { ip }, port: 6379 });
      expect(status).toMatchObject({ decision: 'Unspecified', egress: { reason: 'ServiceAddress' } });
      expect(valueAt(status, 'ingress.message')).toContain('Service default/db');
    }
  });

  it('A ReachabilityReview gives no answer about what the network plugin decides', async () => {
    const host = { namespace: 'shop', name: 'host' };
    expect(await judged({ from: host, to: DB, port: 6379 })).toEqual([
      'Unspecified',
      'HostNetwork',
      'HostNetwork',
    ]);
  });

  it('A ReachabilityReview is a Table if requested', async () => {
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    const { body } = await api.send(
      'POST',
      REVIEWS,
      { spec: { from: DB, to: WEB, port: 80 } },
      undefined,
      accept,
    );
    expect(body).toMatchObject({
      columnDefinitions: [{ name: 'Decision' }, { name: 'Egress' }, { name: 'Ingress' }],
      rows: [
        {
          cells: [
            'Allowed',
            'no NetworkPolicy selects default/db for egress',
            'no NetworkPolicy selects shop/web for ingress',
          ],
        },
      ],
    });
  });

  it('A ReachabilityReview has fields that kubectl explains', async () => {
    const document = await api.ask('GET', '/openapi/v3/apis/winnow.dev/v1');
    const { 'dev.winnow.v1.ReachabilityReview': schema } = objectAt(valueAt(document, 'components.schemas'));
    for (const path of ['spec.properties.from', 'status.properties.ingress.properties.rule']) {
      expect(valueAt(objectAt(schema), `properties.${path}.description`)).toEqual(expect.any(String));
    }
  });

  it('A ReachabilityReview stores nothing', async () => {
    expect((await api.send('GET', REVIEWS)).status).toBe(405);
  });

  it.each<[JsonObject, string[]]>([
    [{}, ['spec.from FieldValueRequired', 'spec.to FieldValueRequired', 'spec.port FieldValueRequired']],
    [{ from: 'db', to: DB, port: 1 }, ['spec.from FieldValueTypeInvalid']],
    [{ from: { name: 'db' }, to: DB, port: 1 }, ['spec.from.namespace FieldValueRequired']],
    [{ from: { ...DB, labels: {} }, to: DB, port: 1 }, ['spec.from.labels FieldValueForbidden']],
    [{ from: { ...DB, name: 3 }, to: DB, port: 1 }, ['spec.from.name FieldValueTypeInvalid']],
    [{ from: { namespace: 3, name: 'db' }, to: DB, port: 1 }, ['spec.from.namespace FieldValueTypeInvalid']],
    [{ from: { ip: '10.0.0' }, to: DB, port: 1 }, ['spec.from.ip FieldValueInvalid']],
    [{ from: { ip: '::ffff:10.0.0.1' }, to: DB, port: 1 }, ['spec.from.ip FieldValueInvalid']],
    [
      { from: { ip: '10.0.0.1', namespace: 'x' }, to: DB, port: 1 },
      ['spec.from.namespace FieldValueForbidden'],
    ],
    [
      { from: { namespace: 'x', labels: { 'a b': '' } }, to: DB, port: 1 },
      ['spec.from.labels FieldValueInvalid'],
    ],
    [{ from: { namespace: 'x', name: 'db' }, to: DB, port: 1 }, ['spec.from.namespace FieldValueNotFound']],
    [{ from: { ...DB, name: 'x' }, to: DB, port: 1 }, ['spec.from.name FieldValueNotFound']],
    [{ from: DB, to: DB, port: 0 }, ['spec.port FieldValueInvalid']],
    [{ from: DB, to: DB, port: true }, ['spec.port FieldValueTypeInvalid']],
    [{ from: DB, to: DB, port: 'redis', protocol: 'UDP' }, ['spec.port FieldValueInvalid']],
    [{ from: DB, to: { ip: '10.0.0.1' }, port: 'redis' }, ['spec.port FieldValueInvalid']],
    [{ from: DB, to: DB, port: 1, protocol: 'ICMP' }, ['spec.protocol FieldValueNotSupported']],
    [{ from: DB, to: DB, port: 1, ipFamily: 4 }, ['spec.ipFamily FieldValueNotSupported']],
  ])('refuses %j and names the fields', async (spec, causes) => {
    const { status, body } = await api.send('POST', REVIEWS, { spec });
    const told = valueAt(body, 'details.causes') as unknown as JsonObject[];
    expect([status, told.map(({ field, reason }) => `${field} ${reason}`)]).toEqual([422, causes]);
  });
});
