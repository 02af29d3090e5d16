import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { objectAt } from '../../../lib/json/index.ts';
import { type Service, startService } from '../../support/service/service.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${GROUP}/mutatingadmissionpolicies`;
const BINDINGS = `${GROUP}/mutatingadmissionpolicybindings`;
const PODS = '/api/v1/namespaces/default/pods';
const MAPS = '/api/v1/namespaces/default/configmaps';
let service: Service;

beforeAll(async () => {
  service = await startService({ newestSchema: true });
});

afterAll(() => service?.stop());

/** Creates a policy and its binding while `run` runs. */
async function withPolicy(name: string, spec: object, run: () => Promise<void>): Promise<void> {
  const { http } = service;
  await http.post(POLICIES, { metadata: { name }, spec });
  await http.post(BINDINGS, { metadata: { name }, spec: { policyName: name } });
  try {
    await run();
  } finally {
    await http.send('DELETE', `${BINDINGS}/${name}`);
    await http.send('DELETE', `${POLICIES}/${name}`);
  }
}

const matches = (resource: string, operations: readonly string[]) => ({
  resourceRules: [{ operations, apiGroups: [''], apiVersions: ['v1'], resources: [resource] }],
});

const pod = (name: string, more: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'app', image: 'example/app:v1.0.0' }], ...more },
});

it('A sidecar is added by an apply configuration, as the documentation of Kubernetes shows it', async () => {
  const condition = '!object.spec.?initContainers.orValue([]).exists(ic, ic.name == "mesh-proxy")';
  const expression = `
    Object{
      spec: Object.spec{
        initContainers: [
          Object.spec.initContainers{
            name: "mesh-proxy",
            image: "mesh/proxy:v1.0.0",
            args: ["proxy", "sidecar"],
            restartPolicy: "Always"
          }
        ]
      }
    }`;
  // The arguments are an atomic list, which an apply configuration may not set.
  const spec = (text: string) => ({
    matchConstraints: matches('pods', ['CREATE']),
    matchConditions: [{ name: 'does-not-already-have-sidecar', expression: condition }],
    failurePolicy: 'Fail',
    reinvocationPolicy: 'IfNeeded',
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: text } }],
  });
  await withPolicy('sidecar', spec(expression), async () => {
    const refused = await service.http.send('POST', PODS, { body: pod('atomic') });
    expect([refused.status, refused.message]).toEqual([
      403,
      expect.stringContaining('may not mutate atomic arrays, maps or structs: .spec.initContainers[0].args'),
    ]);
  });
  await withPolicy('sidecar', spec(expression.replace(/\n\s*args.*/, '')), async () => {
    const made = await service.http.post(PODS, pod('web'));
    expect(objectAt(made.body.spec).initContainers).toMatchObject([
      { name: 'mesh-proxy', image: 'mesh/proxy:v1.0.0', restartPolicy: 'Always' },
    ]);
  });
});

it('A sidecar is added by a JSON patch, as the documentation of Kubernetes shows it', async () => {
  const expression = `
    [
      JSONPatch{
        op: "add", path: "/spec/initContainers/-",
        value: Object.spec.initContainers{
          name: "mesh-proxy",
          image: "mesh-proxy/v1.0.0",
          args: ["proxy", "sidecar"],
          restartPolicy: "Always"
        }
      }
    ]`;
  const spec = {
    matchConstraints: matches('pods', ['CREATE']),
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  };
  await withPolicy('sidecar', spec, async () => {
    const initContainers = [{ name: 'first', image: 'example/init:v1' }];
    const made = await service.http.post(PODS, pod('patched', { initContainers }));
    expect(objectAt(made.body.spec).initContainers).toMatchObject([
      { name: 'first' },
      { name: 'mesh-proxy', args: ['proxy', 'sidecar'], restartPolicy: 'Always' },
    ]);
    const refused = await service.http.send('POST', PODS, { body: pod('without') });
    expect([refused.status, refused.reason]).toEqual([403, 'Invalid']);
  });
});

it('A policy changes writes that many clients send at once, from its acknowledgement to its deletion', async () => {
  const { http } = service;
  const expression = 'Object{metadata: Object.metadata{labels: {"team": "red"}}}';
  const spec = {
    matchConstraints: matches('configmaps', ['CREATE', 'UPDATE']),
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  };
  const many = Array.from({ length: 12 }, (_, at) => at);
  const writeAll = async (method: 'POST' | 'PUT', round: string, value: string) => {
    const answers = await Promise.all(
      many.map((at) => {
        const body = { metadata: { name: `${round}-${at}` }, data: { value } };
        return http.send(method, method === 'POST' ? MAPS : `${MAPS}/${round}-${at}`, { body });
      }),
    );
    return [...new Set(answers.map(({ body }) => body.metadata.labels?.team))];
  };
  expect(await writeAll('POST', 'before', '1')).toEqual([undefined]);
  await withPolicy('team', spec, async () => {
    expect(await writeAll('POST', 'bound', '1')).toEqual(['red']);
    expect(await writeAll('PUT', 'before', '2')).toEqual(['red']);
    const [one, other] = await Promise.all(
      ['a', 'b'].map((key) =>
        http.send('PATCH', `${MAPS}/before-0`, {
          body: { data: { [key]: 'x' }, metadata: { labels: { team: null } } },
          type: 'application/merge-patch+json',
        }),
      ),
    );
    expect([one?.status, other?.status]).toEqual([200, 200]);
    const both = await http.get(`${MAPS}/before-0`);
    expect([both.body.data, both.body.metadata.labels]).toEqual([
      { value: '2', a: 'x', b: 'x' },
      { team: 'red' },
    ]);
  });
  expect(await writeAll('POST', 'after', '1')).toEqual([undefined]);
  expect(service.problems).toEqual([]);
});
