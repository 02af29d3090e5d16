import { beforeEach, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';
import { applied, configMap, mutate, mutatingOf } from '../admission-policies/support.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const HOST = 'guard.example.com';
const ON_MAPS = { resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] };

let api: MemoryApi;
/** The log of the object in each call of the webhook. */
let calls: string[];

beforeEach(async () => {
  calls = [];
  api = await createMemoryApi(1, undefined, {
    webhooks: { places: JSON.stringify({ hosts: [HOST] }), transport: { post } },
  });
});

/** The webhook's server: it adds `w` to the log of the object. */
async function post(_destination: unknown, body: string) {
  const { uid, object } = objectAt(JSON.parse(body).request);
  const log = logOf(objectAt(object));
  calls.push(log);
  const patch = [{ op: 'add', path: '/data', value: { log: `${log}w` } }];
  const response = {
    uid,
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
  return { status: 200, text: JSON.stringify(review) };
}

const logOf = (object: JsonObject): string => String(objectAt(object.data).log ?? '');

const append = (text: string) =>
  applied(`Object{data: {"log": object.?data[?"log"].orValue("") + "${text}"}}`);

async function callWebhook(
  reinvocationPolicy: string,
  [group, resource]: readonly [string, string] = ['', 'configmaps'],
): Promise<void> {
  await api.ask('POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'guard' },
    webhooks: [
      {
        name: HOST,
        clientConfig: { url: `https://${HOST}/` },
        rules: [{ operations: ['*'], apiGroups: [group], apiVersions: ['v1'], resources: [resource] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        reinvocationPolicy,
      },
    ],
  });
}

it.each([
  ['Never', 'Never', 'aw', ['a']],
  ['IfNeeded', 'Never', 'awa', ['a']],
  ['Never', 'IfNeeded', 'aw', ['a']],
  ['IfNeeded', 'IfNeeded', 'awaw', ['a', 'awa']],
])(
  'Mutating policies (%s) change a new object before mutating webhooks (%s), and again after them if need be',
  async (ofPolicy, ofWebhook, log, asked) => {
    await mutate(api, mutatingOf('a', ON_MAPS, [append('a')], { reinvocationPolicy: ofPolicy }));
    await callWebhook(ofWebhook);
    expect(logOf(await api.ask('POST', MAPS, configMap('x')))).toBe(log);
    expect(calls).toEqual(asked);
  },
);

it('A change that begins again after webhooks finds their answers, and applies the policies to what is stored', async () => {
  await mutate(api, mutatingOf('a', ON_MAPS, [append('a')]));
  await api.ask('POST', MAPS, configMap('x'));
  await callWebhook('Never');
  const updated = await api.ask('PUT', `${MAPS}/x`, configMap('x', { log: 'u' }));
  expect([logOf(updated), calls]).toEqual(['uaw', ['ua']]);
});

it('A webhook sees an object that policies leave as it is once, and a policy no object of a DELETE', async () => {
  await mutate(api, mutatingOf('a', { ...ON_MAPS, resources: ['secrets'] }, [append('a')]));
  await callWebhook('IfNeeded');
  expect(logOf(await api.ask('POST', MAPS, configMap('x')))).toBe('w');
  expect(calls).toEqual(['']);
});

it('A webhook changes the Scale that a client asks for', async () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  api = await createMemoryApi(1, undefined, {
    webhooks: {
      places: JSON.stringify({ hosts: [HOST] }),
      transport: {
        post: async (_destination, body) => {
          const { uid, kind } = objectAt(JSON.parse(body).request);
          const patch = [{ op: 'replace', path: '/spec/replicas', value: 3 }];
          const response = {
            uid,
            allowed: objectAt(kind).kind === 'Scale',
            patchType: 'JSONPatch',
            patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
          };
          const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
          return { status: 200, text: JSON.stringify(review) };
        },
      },
    },
  });
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await api.ask('POST', deployments, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { app: 'a' } }, template },
  });
  await callWebhook('Never', ['apps', 'deployments/scale']);
  await api.ask('PATCH', `${deployments}/d/scale`, { spec: { replicas: 9 } }, 'application/merge-patch+json');
  expect(objectAt((await api.ask('GET', `${deployments}/d`)).spec).replicas).toBe(3);
});
