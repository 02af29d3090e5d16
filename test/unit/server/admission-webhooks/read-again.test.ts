import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf, objectAt } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const HOST = 'guard.example.com';
/** In ms: what was read before such a call is too old for a transaction. */
const LONG = 5_000;

let api: MemoryApi;
/** The stored and the wanted value of each call of the webhook. */
let calls: string[];
/** Runs during the next call. */
let meanwhile: (() => Promise<void>) | undefined;

beforeEach(async () => {
  calls = [];
  meanwhile = undefined;
  api = await createMemoryApi(1, undefined, {
    webhooks: { places: JSON.stringify({ hosts: [HOST] }), transport: { post } },
  });
  await api.ask('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'guard' },
    webhooks: [
      {
        name: HOST,
        clientConfig: { url: `https://${HOST}/` },
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
});

async function post(_destination: unknown, body: string) {
  const { uid, object, oldObject } = objectAt(JSON.parse(body).request);
  calls.push(`${valueIn(oldObject)} to ${valueIn(object)}`);
  const work = meanwhile;
  meanwhile = undefined;
  await work?.();
  await api.memory.clock.sleep(LONG);
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, allowed: true },
  };
  return { status: 200, text: JSON.stringify(review) };
}

const valueIn = (object: unknown) => String(objectAt(objectAt(object as JsonObject).data).value ?? 'nothing');
const map = (value: string) => ({ metadata: { name: 'x' }, data: { value } });
const versionOf = (object: JsonObject) => Number(metadataOf(object).resourceVersion);

describe('After a webhook took longer than a transaction may wait, the change begins again, and', () => {
  it('a create and an update ask once, and use one resourceVersion each', async () => {
    const created = await api.ask('POST', MAPS, map('one'));
    const updated = await api.ask('PUT', `${MAPS}/x`, map('two'));
    expect(calls).toEqual(['nothing to one', 'one to two']);
    expect(versionOf(updated)).toBe(versionOf(created) + 1);
  });

  it('asks about the new state if another client changed the object meanwhile', async () => {
    const created = await api.ask('POST', MAPS, map('one'));
    meanwhile = async () => {
      await api.ask('PUT', `${MAPS}/x`, map('other'));
    };
    const updated = await api.ask('PUT', `${MAPS}/x`, map('two'));
    expect(calls).toEqual(['nothing to one', 'one to two', 'one to other', 'other to two']);
    expect(versionOf(updated)).toBe(versionOf(created) + 2);
  });
});
