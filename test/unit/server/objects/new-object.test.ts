import { describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import type { ResourceType } from '../../../../lib/kubernetes/resource-types/index.ts';
import { decodeSent } from '../../../../lib/server/objects/decode-sent.ts';
import { newObject } from '../../../../lib/server/objects/new-object.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import {
  CONFIG_MAPS,
  clock,
  countingRandom,
  fieldsOf,
  NAMESPACES,
  NOW,
  PODS,
  refusalFrom,
  SECRETS,
} from '../fixtures.ts';

async function created(type: ResourceType, value: JsonObject): Promise<JsonObject> {
  const namespace = type.scope === 'Namespaced' ? 'default' : '';
  const { body, emptyStatus } = await decodeSent({ type, namespace, value });
  return newObject({ type, sent: body, emptyStatus, clock, random: countingRandom() });
}

describe('A new object', () => {
  it("The object has the server's metadata whatever the client sent, but keeps its managers, which are checked later", async () => {
    const metadata = {
      name: 'x',
      uid: 'mine',
      creationTimestamp: '2001-01-01T00:00:00Z',
      generation: 9,
      deletionTimestamp: '2001-01-01T00:00:00Z',
      selfLink: '/x',
      managedFields: [{ manager: 'kubectl' }],
      labels: { a: '1' },
      annotations: {},
      finalizers: ['a.io/b'],
    };
    expect((await created(CONFIG_MAPS, { metadata })).metadata).toEqual({
      name: 'x',
      namespace: 'default',
      uid: 'uid-1',
      generation: 9,
      creationTimestamp: NOW,
      labels: { a: '1' },
      finalizers: ['a.io/b'],
      managedFields: [{ manager: 'kubectl' }],
    });
  });

  it.each([
    ['web-', 'web-xxxx1'],
    ['a'.repeat(70), `${'a'.repeat(58)}xxxx1`],
  ])('The object gets a name from generateName %s', async (generateName, name) => {
    expect((await created(CONFIG_MAPS, { metadata: { generateName } })).metadata).toMatchObject({
      generateName,
      name,
    });
  });

  it('The object keeps its name beside a generateName', async () => {
    expect(
      (await created(CONFIG_MAPS, { metadata: { name: 'x', generateName: 'web-' } })).metadata,
    ).toMatchObject({
      name: 'x',
    });
  });

  it('The object starts with the status of its type', async () => {
    const status = { phase: 'Running' };
    expect((await created(PODS, { metadata: { name: 'x' }, spec: podSpec(), status })).status).toEqual({
      phase: 'Pending',
      qosClass: 'BestEffort',
    });
    expect((await created(NAMESPACES, { metadata: { name: 'x' }, status })).status).toEqual({
      phase: 'Active',
    });
  });

  it('A namespace has its name in a label, and a finalizer', async () => {
    const labels = { a: '1', 'kubernetes.io/metadata.name': 'another' };
    expect(await created(NAMESPACES, { metadata: { name: 'x', labels } })).toMatchObject({
      metadata: { labels: { a: '1', 'kubernetes.io/metadata.name': 'x' } },
      spec: { finalizers: ['kubernetes'] },
    });
  });
});

describe('A new Secret', () => {
  it('The Secret has its stringData in data', async () => {
    const body = { metadata: { name: 'x' }, data: { a: 'eA==', b: 'eA==' }, stringData: { b: 'é' } };
    const secret = await created(SECRETS, body);
    expect(secret.data).toEqual({ a: 'eA==', b: 'w6k=' });
    expect(secret.stringData).toBeUndefined();
    expect(secret.type).toBe('Opaque');
  });

  it.each(['e', 'eA=', 'e%==', '=eA=', 'eA==='])('The Secret is refused with %s as base64', async (a) => {
    const refusal = await refusalFrom(created(SECRETS, { metadata: { name: 'x' }, data: { a } }));
    expect(refusal.code).toBe(400);
    expect(refusal.message).toContain('illegal base64 data');
  });

  it.each(['', 'eA==', 'eHg=', 'eHh4', 'eH\nh4\r\n'])(
    'The Secret is accepted with %j as base64',
    async (a) => {
      await expect(created(SECRETS, { metadata: { name: 'x' }, data: { a } })).resolves.toBeDefined();
    },
  );
});

describe('A new ConfigMap', () => {
  it.each(['a', 'A.b-c_1', '.hidden', 'x'.repeat(253)])('The ConfigMap accepts the key %s', async (key) => {
    await expect(
      created(CONFIG_MAPS, { metadata: { name: 'x' }, data: { [key]: '' } }),
    ).resolves.toBeDefined();
  });

  it.each(['', 'a/b', 'a b', '.', '..', '..a', 'x'.repeat(254)])(
    'The ConfigMap refuses the key %j',
    async (key) => {
      const refusal = await refusalFrom(
        created(CONFIG_MAPS, { metadata: { name: 'x' }, data: { [key]: '' } }),
      );
      expect(refusal.code).toBe(422);
      expect(fieldsOf(refusal)[0]).toBe(`data[${key}]`);
    },
  );

  it('The ConfigMap refuses a key in both data and binaryData', async () => {
    const body = { metadata: { name: 'x' }, data: { a: '' }, binaryData: { a: '' } };
    expect((await refusalFrom(created(CONFIG_MAPS, body))).message).toContain('duplicate of key');
  });
});

describe("The terms of a new pod's affinity", () => {
  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
  const term = {
    labelSelector: { matchLabels: { app: 'store' } },
    topologyKey: 'zone',
    matchLabelKeys: ['release', 'missing'],
    mismatchLabelKeys: ['tenant'],
  };
  const selecting = (podAffinityTerm: JsonObject) => ({
    metadata: { name: 'x', labels: { release: '7', tenant: 'a' } },
    spec: {
      ...podSpec(),
      affinity: {
        podAffinity: { [REQUIRED]: [podAffinityTerm] },
        podAntiAffinity: { [PREFERRED]: [{ weight: 1, podAffinityTerm }] },
      },
    },
  });
  const merged = {
    ...term,
    labelSelector: {
      matchLabels: { app: 'store' },
      matchExpressions: [
        { key: 'release', operator: 'In', values: ['7'] },
        { key: 'tenant', operator: 'NotIn', values: ['a'] },
      ],
    },
  };

  it("The terms select by the values that the pod's own labels have for their label keys", async () => {
    expect(objectAt((await created(PODS, selecting(term))).spec).affinity).toEqual({
      podAffinity: { [REQUIRED]: [merged] },
      podAntiAffinity: { [PREFERRED]: [{ weight: 1, podAffinityTerm: merged }] },
    });
  });

  it('A term without a selector matches no pod, so label keys need a selector', async () => {
    const { labelSelector: _none, ...bare } = term;
    const refusal = await refusalFrom(created(PODS, selecting(bare)));
    expect(refusal.message).toContain('must not be specified when labelSelector is not set');
  });

  it('A term does not name a key in both the selector and matchLabelKeys', async () => {
    const both = { ...term, labelSelector: { matchLabels: { release: '7' } } };
    const refusal = await refusalFrom(created(PODS, selecting(both)));
    expect(refusal.message).toContain('"release": exists in both matchLabelKeys and labelSelector');
    expect(fieldsOf(refusal)[0]).toBe(`spec.affinity.podAffinity.${REQUIRED}[0][0]`);
  });
});
