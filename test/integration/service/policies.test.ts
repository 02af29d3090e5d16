import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${GROUP}/validatingadmissionpolicies`;
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;
const MAPS = '/api/v1/namespaces/default/configmaps';
let service: Service;

beforeAll(async () => {
  service = await startService({ newestSchema: true });
});

afterAll(() => service?.stop());

const configMap = (name: string, data: JsonObject) => ({ metadata: { name }, data });

it('A policy decides writes that many clients send at once, from its acknowledgement to its deletion', async () => {
  const { http } = service;
  const resourceRules = [
    { operations: ['CREATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
  ];
  await http.post(POLICIES, {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules },
      validations: [{ expression: "request.operation == 'CREATE' && object.data.tag != 'bad'" }],
    },
  });
  const many = Array.from({ length: 12 }, (_, at) => at);
  const createAll = async (round: string, tag: string) => {
    const answers = await Promise.all(
      many.map((at) => http.send('POST', MAPS, { body: configMap(`${round}-${at}`, { tag }) })),
    );
    return [...new Set(answers.map(({ status }) => status))];
  };
  expect(await createAll('before', 'bad')).toEqual([201]);
  await http.post(BINDINGS, {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'] },
  });
  expect(await createAll('bound', 'bad')).toEqual([422]);
  expect(await createAll('bound', 'good')).toEqual([201]);
  const deleted = await http.send('DELETE', MAPS);
  expect([deleted.status, deleted.reason]).toEqual([422, 'Invalid']);
  await http.send('DELETE', `${BINDINGS}/b`);
  expect((await http.send('DELETE', MAPS)).status).toBe(200);
  expect(service.problems).toEqual([]);
});

it('The control loops of Winnow are exempt from policies', async () => {
  const { http } = service;
  const resourceRules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  await http.post('/api/v1/namespaces', { metadata: { name: 'doomed' } });
  const maps = '/api/v1/namespaces/doomed/configmaps';
  const owner = await http.post(maps, configMap('owner', {}));
  const { uid } = owner.body.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  await http.post(maps, { metadata: { name: 'owned', ownerReferences }, data: {} });
  await http.post(maps, configMap('other', {}));
  // What the client deletes is excluded: what follows from that is not.
  const deletes = { operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'] };
  const excludeResourceRules = [
    { ...deletes, resources: ['configmaps'], resourceNames: ['owner'] },
    { ...deletes, resources: ['namespaces'] },
  ];
  await http.post(POLICIES, {
    metadata: { name: 'all' },
    spec: {
      matchConstraints: { resourceRules, excludeResourceRules },
      validations: [{ expression: 'false' }],
    },
  });
  await http.post(BINDINGS, {
    metadata: { name: 'all' },
    spec: { policyName: 'all', validationActions: ['Deny'] },
  });
  expect((await http.send('DELETE', `${maps}/owned`)).status).toBe(422);
  await http.delete(`${maps}/owner`);
  const isGone = async (path: string) => (await http.send('GET', path)).status === 404;
  await eventually('the dependent goes', () => isGone(`${maps}/owned`));
  await http.delete('/api/v1/namespaces/doomed');
  await eventually('the namespace goes', () => isGone('/api/v1/namespaces/doomed'));
  expect((await http.send('DELETE', `${BINDINGS}/all`)).status).toBe(200);
  expect(service.problems).toEqual([]);
});
