import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const CORE = '/api/v1/namespaces/default';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const limit = (...limits: JsonObject[]) =>
  api.ask('POST', `${CORE}/limitranges`, { metadata: { name: 'l' }, spec: { limits } });

const pod = (resources: JsonObject, more: JsonObject = {}) =>
  api.send('POST', `${CORE}/pods`, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i', resources }], ...more },
  });

/** The reason why a pod is refused. */
async function refusal(resources: JsonObject, more: JsonObject = {}): Promise<string> {
  const { status, body } = await pod(resources, more);
  expect(status).toBe(403);
  return String(body.message).replace('pods "p" is forbidden: ', '');
}

describe('The kind LimitRange', () => {
  it('A LimitRange gives containers the values that they omit, and reports it', async () => {
    await limit({ type: 'Container', default: { cpu: '500m' }, defaultRequest: { memory: '64Mi' } });
    const init = { name: 'i', image: 'i', resources: { limits: { cpu: '1' } } };
    const { body } = await pod({ requests: { cpu: '100m' } }, { initContainers: [init] });
    const { containers, initContainers } = objectAt(body.spec);
    expect(containers).toMatchObject([
      { resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '500m' } } },
    ]);
    expect(initContainers).toMatchObject([
      { resources: { requests: { cpu: '1', memory: '64Mi' }, limits: { cpu: '1' } } },
    ]);
    expect(objectAt(body.metadata).annotations).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: memory request for container c; cpu limit for container c; memory request for init container i',
    });
  });

  it('A LimitRange bounds containers', async () => {
    await limit({ type: 'Container', min: { memory: '32Mi' }, max: { cpu: '1' } });
    const fits = { requests: { memory: '32Mi', cpu: '1' }, limits: { cpu: '1' } };
    expect(await refusal({ ...fits, requests: { memory: '16Mi' } })).toBe(
      'minimum memory usage per Container is 32Mi, but request is 16Mi',
    );
    expect(await refusal({ requests: { memory: '1Mi' }, limits: { cpu: '2' } })).toBe(
      '[minimum memory usage per Container is 32Mi, but request is 1Mi, maximum cpu usage per Container is 1, but limit is 2]',
    );
    // A maximum is the default if no default is set.
    expect((await pod({ requests: { cpu: '2' } })).body.message).toContain(
      'must be less than or equal to cpu limit of 1',
    );
    expect((await pod(fits)).status).toBe(201);
  });

  it('A LimitRange bounds pods as a whole, and the ratio of limits to requests', async () => {
    await limit({ type: 'Pod', max: { cpu: '1' }, maxLimitRequestRatio: { memory: '2' } });
    expect(
      await refusal({ limits: { cpu: '2', memory: '3Gi' }, requests: { cpu: '1', memory: '1Gi' } }),
    ).toBe(
      '[maximum cpu usage per Pod is 1, but limit is 2, memory max limit to request ratio per Pod is 2, but provided ratio is 3.000000]',
    );
    expect(await refusal({ limits: { cpu: '1' } })).toBe(
      'memory max limit to request ratio per Pod is 2, but no request is specified or request is 0',
    );
  });

  it('A LimitRange is checked before a claim grows', async () => {
    const storage = (size: string) => ({ spec: { resources: { requests: { storage: size } } } });
    await limit({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } });
    const claims = `${CORE}/persistentvolumeclaims`;
    const claim = (size: string) =>
      api.send('POST', claims, {
        metadata: { name: 'v' },
        spec: { accessModes: ['ReadWriteOnce'], ...storage(size).spec },
      });
    expect((await claim('512Mi')).body.message).toContain(
      'minimum storage usage per PersistentVolumeClaim is 1Gi',
    );
    expect((await claim('3Gi')).body.message).toContain(
      'maximum storage usage per PersistentVolumeClaim is 2Gi',
    );
    expect((await claim('2Gi')).status).toBe(201);
  });

  it('Faults of the object itself, and a missing namespace, are reported before a LimitRange is', async () => {
    await limit({ type: 'Container', max: { cpu: '1' } });
    expect((await pod({ limits: { cpu: '2' } }, { restartPolicy: 'x' })).status).toBe(422);
    const gone = await api.send('POST', '/api/v1/namespaces/none/pods', {
      metadata: { name: 'p' },
      spec: { priorityClassName: 'none', containers: [{ name: 'c', image: 'i' }] },
    });
    expect(gone.body).toMatchObject({ code: 404, message: 'namespaces "none" not found' });
  });

  it('A LimitRange applies to every write after its acknowledgement, until it is deleted', async () => {
    expect((await pod({ limits: { cpu: '2' } })).status).toBe(201);
    await api.ask('DELETE', `${CORE}/pods/p`);
    await limit({ type: 'Container', max: { cpu: '1' } });
    expect((await pod({ limits: { cpu: '2' } })).status).toBe(403);
    await api.ask('DELETE', `${CORE}/limitranges/l`);
    expect((await pod({ limits: { cpu: '2' } })).status).toBe(201);
  });
});
