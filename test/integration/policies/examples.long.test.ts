import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type Service, startService } from '../../support/service/service.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples/policies');
const ROOT = '/apis/admissionregistration.k8s.io/v1';
const PLURALS: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
};

let service: Service;

beforeAll(async () => {
  service = await startService({ newestSchema: true });
  for (const [name, labels] of Object.entries({
    strict: { naming: 'strict' },
    free: {},
    owned: { team: 'shop' },
  })) {
    await service.http.post('/api/v1/namespaces', { metadata: { name, labels } });
  }
});

afterAll(() => service.stop());

/** Applies an example while `run` runs. */
async function withExample(name: string, run: () => Promise<void>): Promise<void> {
  const text = await readFile(join(EXAMPLES, `${name}.yaml`), 'utf8');
  const objects = parseAllDocuments(text).map((document) => document.toJS());
  for (const object of objects) await service.http.post(`${ROOT}/${PLURALS[object.kind]}`, object);
  try {
    await run();
  } finally {
    for (const { kind, metadata } of objects) {
      await service.http.ask('DELETE', `${ROOT}/${PLURALS[kind]}/${metadata.name}`);
    }
  }
}

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const post = (path: string, body: object) => service.http.send('POST', path, { body });
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'b' }] } };
const deployment = (name: string, labels: object, replicas = 1) => ({
  metadata: { name, labels },
  spec: { replicas, selector: { matchLabels: { app: 'a' } }, template },
});
const pod = (name: string, environment: string) => ({
  metadata: { name, labels: { environment } },
  spec: { containers: [{ name: 'a', image: 'b' }] },
});

describe('the example policies', () => {
  it('required-labels refuses a Deployment without the label team', async () => {
    await withExample('required-labels', async () => {
      const refused = await post(DEPLOYMENTS, deployment('unlabelled', {}));
      expect([refused.status, refused.message]).toEqual([
        422,
        expect.stringContaining('the label team is missing; set it to the name of your team'),
      ]);
      expect((await post(DEPLOYMENTS, deployment('labelled', { team: 'shop' }))).status).toBe(201);
    });
  });

  it('values-from-a-configmap refuses a value that the ConfigMap does not list, and nothing without one', async () => {
    await withExample('values-from-a-configmap', async () => {
      const path = '/api/v1/namespaces/free';
      expect((await post(`${path}/pods`, pod('before', 'moon'))).status).toBe(201);
      await post(`${path}/configmaps`, {
        metadata: { name: 'environments' },
        data: { environments: 'production,qa' },
      });
      const refused = await post(`${path}/pods`, pod('moon', 'moon'));
      expect(refused.message).toContain('the label environment is "moon"; it must be one of production, qa');
      expect((await post(`${path}/pods`, pod('qa', 'qa'))).status).toBe(201);
    });
  });

  it('protected-label lets only release managers set the label tier=production', async () => {
    await withExample('protected-label', async () => {
      const refused = await post(DEPLOYMENTS, deployment('protected', { tier: 'production' }));
      expect([refused.status, refused.message]).toEqual([
        403,
        expect.stringContaining('only release managers may set or remove the label tier=production'),
      ]);
      await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'release-managers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'release-managers' }],
      });
      const allowed = await service.http.send('POST', DEPLOYMENTS, {
        body: deployment('protected', { tier: 'production' }),
        headers: { 'impersonate-user': 'ann', 'impersonate-group': 'release-managers' },
      });
      expect(allowed.status).toBe(201);
      const patch = { body: { metadata: { labels: { tier: null } } }, type: 'application/merge-patch+json' };
      expect((await service.http.send('PATCH', `${DEPLOYMENTS}/protected`, patch)).status).toBe(403);
      const scale = { body: { spec: { replicas: 2 } }, type: 'application/merge-patch+json' };
      expect((await service.http.send('PATCH', `${DEPLOYMENTS}/protected`, scale)).status).toBe(200);
    });
  });

  it('names-by-pattern decides only in namespaces with the label naming=strict', async () => {
    await withExample('names-by-pattern', async () => {
      const body = (name: string) => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
      const refused = await post('/api/v1/namespaces/strict/services', body('web'));
      expect(refused.message).toContain('the name web must begin with shop-, search- or pay-');
      expect((await post('/api/v1/namespaces/strict/services', body('shop-web'))).status).toBe(201);
      expect((await post('/api/v1/namespaces/free/services', body('web'))).status).toBe(201);
    });
  });

  it('default-labels gives a new Deployment the team of its namespace, unless it has one', async () => {
    await withExample('default-labels', async () => {
      const path = (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`;
      const teamOf = async (namespace: string, name: string, labels: object) =>
        (await post(path(namespace), deployment(name, labels))).body.metadata.labels.team;
      expect(await teamOf('owned', 'web', {})).toBe('shop');
      expect(await teamOf('owned', 'own', { team: 'search' })).toBe('search');
      expect(await teamOf('free', 'web', {})).toBe('unknown');
    });
  });

  it('limited-replicas warns about many replicas, also where they are scaled', async () => {
    await withExample('limited-replicas', async () => {
      const made = await post(DEPLOYMENTS, deployment('many', {}, 11));
      const warning = '11 replicas are more than the ten that a team may use';
      expect([made.status, made.headers.get('warning')]).toEqual([201, expect.stringContaining(warning)]);
      const scale = { body: { spec: { replicas: 12 } }, type: 'application/merge-patch+json' };
      const scaled = await service.http.send('PATCH', `${DEPLOYMENTS}/many/scale`, scale);
      expect([scaled.status, scaled.headers.get('warning')]).toEqual([
        200,
        expect.stringContaining('12 replicas'),
      ]);
    });
  });
});
