import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf, objectAt } from '../../../../lib/json/index.ts';
import { readingVerbs, writingVerbs } from '../../../../lib/server/index.ts';
import { ensureServiceAccounts } from '../../../../lib/server/writers/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const SHOP = '/api/v1/namespaces/shop';
const ACCOUNTS = `${SHOP}/serviceaccounts`;
const CONTAINERS = [{ name: 'c', image: 'i' }];
const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi(1, { ...readingVerbs, ...writingVerbs }, { serviceAccounts: true });
  await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
});

const pod = (spec: JsonObject, metadata: JsonObject = {}, query = '') =>
  api.send('POST', `${SHOP}/pods${query}`, {
    metadata: { name: 'p', ...metadata },
    spec: { containers: CONTAINERS, ...spec },
  });

async function made(spec: JsonObject, metadata: JsonObject = {}): Promise<JsonObject> {
  const { status, body } = await pod(spec, metadata);
  expect([status, body.message]).toEqual([201, undefined]);
  return objectAt(body.spec);
}

async function refusal(spec: JsonObject, metadata: JsonObject = {}): Promise<string> {
  const { status, body } = await pod(spec, metadata);
  expect(status).toBe(403);
  return String(body.message).replace('pods "p" is forbidden: ', '');
}

const account = (name: string, more: JsonObject, metadata: JsonObject = {}) =>
  api.ask('POST', ACCOUNTS, { metadata: { name, ...metadata }, ...more });

const accountNames = async (path = ACCOUNTS) =>
  (await api.ask('GET', path)).items as unknown as readonly { metadata: { name: string } }[];

const uidOf = async (path: string) => metadataOf(await api.ask('GET', path)).uid;

describe('The ServiceAccount default', () => {
  it('A new namespace has the ServiceAccount default', async () => {
    expect((await accountNames()).map(({ metadata }) => metadata.name)).toEqual(['default']);
  });

  it('A deleted ServiceAccount default is created again, with another uid', async () => {
    const before = await uidOf(`${ACCOUNTS}/default`);
    await api.ask('DELETE', `${ACCOUNTS}/default`);
    const after = await uidOf(`${ACCOUNTS}/default`);
    expect(after).not.toBe(before);
    await api.ask('DELETE', ACCOUNTS);
    expect(await uidOf(`${ACCOUNTS}/default`)).not.toBe(after);
  });

  it('A dry run of a system namespace creates neither the namespace nor its account', async () => {
    await api.ask('POST', '/api/v1/namespaces?dryRun=All', { metadata: { name: 'kube-public' } });
    expect((await api.send('GET', '/api/v1/namespaces/kube-public')).status).toBe(404);
    expect(await accountNames('/api/v1/namespaces/kube-public/serviceaccounts')).toEqual([]);
  });

  it('A terminating namespace does not get its account again', async () => {
    const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
    await api.ask('POST', `${SHOP}/configmaps`, held);
    await api.ask('DELETE', SHOP);
    await api.ask('DELETE', `${ACCOUNTS}/default`);
    expect(await accountNames()).toEqual([]);
  });

  it('A namespace from before the setting gets its account with its first pod, or from reconcile', async () => {
    const { memory } = api;
    const { clock, world } = memory;
    // Removes the account from the store, as if it had never been created.
    const forget = () =>
      clock.during(
        world.store.write('core/serviceaccounts', { namespace: 'shop', name: 'default' }, (current) => ({
          kind: 'delete',
          body: current?.body ?? {},
        })),
      );
    await forget();
    expect(await accountNames()).toEqual([]);
    expect((await pod({}, {}, '?dryRun=All')).status).toBe(201);
    expect(await accountNames()).toEqual([]);
    expect(await made({})).toMatchObject({ serviceAccountName: 'default' });
    expect(await accountNames()).toHaveLength(1);
    await forget();
    const announced: string[] = [];
    const announce = async (collection: string) => {
      announced.push(collection);
    };
    const options = { store: world.store, clock, random: world.random, announce };
    await memory.clock.during(ensureServiceAccounts(options));
    expect(await accountNames()).toHaveLength(1);
    expect(announced).toContain('core/serviceaccounts');
    const maps = await api.ask('GET', '/api/v1/namespaces/kube-system/configmaps');
    expect(maps.items).toMatchObject([
      { metadata: { name: 'extension-apiserver-authentication' } },
      {
        metadata: { name: 'kube-apiserver-legacy-service-account-token-tracking' },
        data: { since: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
      },
    ]);
  });
});

describe('A new pod', () => {
  it('A pod that names no account runs as default, with a token in each container', async () => {
    const spec = await made({ initContainers: [{ name: 'i', image: 'i' }] });
    const [volume] = spec.volumes as unknown as [{ name: string }];
    expect(volume.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
    const mounts = [{ name: volume.name, readOnly: true, mountPath: MOUNT }];
    expect(spec).toMatchObject({
      serviceAccountName: 'default',
      serviceAccount: 'default',
      initContainers: [{ volumeMounts: mounts }],
      containers: [{ volumeMounts: mounts }],
      volumes: [
        {
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
              {
                downwardAPI: {
                  items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }],
                },
              },
            ],
          },
        },
      ],
    });
    expect(spec.imagePullSecrets).toBeUndefined();
  });

  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['the account says so', { automountServiceAccountToken: false }, {}, false],
    ['the pod says so', {}, { automountServiceAccountToken: false }, false],
    [
      'the pod overrides the account',
      { automountServiceAccountToken: false },
      { automountServiceAccountToken: true },
      true,
    ],
  ])('A pod gets a token or none: %s', async (_, more, spec, isMounted) => {
    await account('robot', more);
    const { volumes } = await made({ serviceAccountName: 'robot', ...spec });
    expect(volumes !== undefined).toBe(isMounted);
  });

  it('A container that mounts something else at the path of the token keeps it', async () => {
    const volumes = [{ name: 'own', emptyDir: {} }];
    const volumeMounts = [{ name: 'own', mountPath: MOUNT }];
    const spec = await made({ volumes, containers: [{ ...CONTAINERS[0], volumeMounts } as JsonObject] });
    expect(spec.volumes).toHaveLength(1);
    expect(spec.containers).toMatchObject([{ volumeMounts: [{ name: 'own' }] }]);
  });

  it('A volume whose name begins with kube-api-access is mounted, and no other is added', async () => {
    const spec = await made({ volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }] });
    expect(spec.volumes).toHaveLength(1);
    expect(spec.containers).toMatchObject([{ volumeMounts: [{ name: 'kube-api-access-mine' }] }]);
  });

  it('A pod without pull secrets gets those of its account, named by the old field too', async () => {
    await account('robot', { imagePullSecrets: [{ name: 'registry' }] });
    expect(await made({ serviceAccount: 'robot' })).toMatchObject({
      serviceAccountName: 'robot',
      imagePullSecrets: [{ name: 'registry' }],
    });
    const own = { serviceAccountName: 'robot', imagePullSecrets: [{ name: 'own' }] };
    expect(await made(own, { name: 'q' })).toMatchObject({ imagePullSecrets: [{ name: 'own' }] });
  });

  it('A pod of an unknown account is refused, and the namespace is checked first', async () => {
    expect(await refusal({ serviceAccountName: 'nope' })).toBe(
      'error looking up service account shop/nope: serviceaccount "nope" not found',
    );
    const elsewhere = await api.send('POST', '/api/v1/namespaces/none/pods', {
      metadata: { name: 'p' },
      spec: { containers: CONTAINERS },
    });
    expect(elsewhere.body.message).toBe('namespaces "none" not found');
  });

  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
  const tokenVolume = { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
  it.each<[string, JsonObject, string]>([
    ['an account', { serviceAccountName: 'default' }, 'a mirror pod may not reference service accounts'],
    ['a pull secret', { imagePullSecrets: [{ name: 's' }] }, 'a mirror pod may not reference secrets'],
    [
      'a token',
      { volumes: [tokenVolume] },
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
  ])('A mirror pod may not use %s', async (_, spec, why) => {
    expect(await refusal({ nodeName: 'n', ...spec }, mirror)).toBe(why);
  });

  it('A mirror pod is stored as it was sent', async () => {
    const spec = await made({ nodeName: 'n' }, mirror);
    expect([spec.serviceAccountName, spec.volumes]).toEqual([undefined, undefined]);
  });
});

describe('An account that enforces its secrets', () => {
  const enforcing = { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } };
  const env = (name: string) => ({ env: [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }] });
  const fromSecret = (name: string) => ({ envFrom: [{ secretRef: { name } }] });
  const other = 'is not allowed because service account robot does not reference that secret';

  beforeEach(async () => {
    await account(
      'robot',
      { secrets: [{ name: 'listed' }], imagePullSecrets: [{ name: 'pull' }] },
      enforcing,
    );
  });

  it.each<[string, JsonObject, string]>([
    [
      'in a volume',
      { volumes: [{ name: 'v', secret: { secretName: 'x' } }] },
      `volume with secret.secretName="x" ${other}`,
    ],
    [
      'in a variable of an init container',
      { initContainers: [{ name: 'i', image: 'i', ...env('x') }] },
      `init container i with envVar E referencing secret.secretName="x" ${other}`,
    ],
    [
      'in the variables of a container',
      { containers: [{ name: 'c', image: 'i', ...fromSecret('x') }] },
      `container c with envFrom referencing secret.secretName="x" ${other}`,
    ],
    [
      'to pull images',
      { imagePullSecrets: [{ name: 'pull' }, { name: 'x' }] },
      'imagePullSecrets[1].name="x" is not allowed because service account robot does not reference that imagePullSecret',
    ],
  ])('Another secret is refused %s', async (_, spec, why) => {
    expect(await refusal({ serviceAccountName: 'robot', ...spec })).toBe(why);
  });

  it('The secrets that the account lists are allowed', async () => {
    const containers = [{ name: 'c', image: 'i', ...env('listed') }];
    await made({ serviceAccountName: 'robot', containers, imagePullSecrets: [{ name: 'pull' }] });
  });

  it('An ephemeral container may not use another secret', async () => {
    await made({ serviceAccountName: 'robot' });
    const ephemeralContainers = [{ name: 'e', image: 'i', ...env('x') }];
    const { status, body } = await api.send(
      'PATCH',
      `${SHOP}/pods/p/ephemeralcontainers`,
      { spec: { ephemeralContainers } },
      'application/strategic-merge-patch+json',
    );
    expect([status, body.message]).toEqual([
      403,
      `pods "p" is forbidden: ephemeral container e with envVar E referencing secret.secretName="x" ${other}`,
    ]);
  });
});

it('Pods have no service account where the setting is off', async () => {
  api = await createMemoryApi();
  await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  expect(await accountNames()).toEqual([]);
  expect((await made({ serviceAccountName: 'nope' })).volumes).toBeUndefined();
});
