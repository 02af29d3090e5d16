import { expect, it } from '@jest/globals';
import { metadataOf, objectAt } from '../../../../lib/json/index.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { createMemoryApi } from '../../../support/service/memory-api.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const LIMITS = '/api/v1/namespaces/default/limitranges';
const PEM = '-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----\n';

it('A certificate request has the identity of its caller, whatever the body says, and is passed on', async () => {
  const api = await createMemoryApi();
  const asked = { request: btoa(PEM), signerName: 'example.com/s', usages: ['client auth'] };
  const spec = {
    ...asked,
    username: 'somebody else',
    uid: '1',
    groups: ['system:masters'],
    extra: { a: ['b'] },
  };
  const made = await api.ask('POST', REQUESTS, { metadata: { name: 'a' }, spec });
  expect(made.spec).toEqual({
    ...asked,
    username: ADMIN.username,
    uid: ADMIN.uid,
    groups: [...ADMIN.groups],
  });

  const patch = { spec: { username: 'somebody else' } };
  const type = 'application/merge-patch+json';
  expect(objectAt((await api.ask('PATCH', `${REQUESTS}/a`, patch, type)).spec).username).toBe(ADMIN.username);
});

it('A LimitRange without a name gets a random name, and other objects do not', async () => {
  const api = await createMemoryApi();
  const spec = { limits: [] };
  expect(metadataOf(await api.ask('POST', LIMITS, { spec })).name).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  const prefixed = await api.ask('POST', LIMITS, { metadata: { generateName: 'l-' }, spec });
  expect(metadataOf(prefixed).name).toMatch(/^l-.{5}$/);
  expect((await api.send('POST', '/api/v1/namespaces/default/configmaps', {})).status).toBe(422);
});
