import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type ApiClient,
  createApiClient,
  createDefinitionResource,
  type DefinitionRequest,
} from '../../../functions/subscription/index.ts';
import { definitionOf, fromJsonSchema } from '../../../lib/client/definition/index.ts';
import { connect, defineKind, type Winnow } from '../../../lib/client/objects/index.ts';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen.ts';
import { asDefiner } from '../../support/service/as-definer.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PATH = 'apis/apiextensions.k8s.io/v1/customresourcedefinitions/gates.fleet.example';

let service: Service;
let winnow: Winnow;
let api: ApiClient;
let resource: ReturnType<typeof createDefinitionResource>;

beforeAll(async () => {
  service = await startService();
  winnow = connect({ url: service.winnow.url });
  api = createApiClient({ url: `${service.winnow.url}/`, token: async () => 'none is asked for here' });
  resource = createDefinitionResource({ api, sleep: async () => {} });
});

afterAll(() => service.stop());

const kindOf = (maxLength: number) =>
  defineKind({
    group: 'fleet.example',
    version: 'v1',
    kind: 'Gate',
    plural: 'gates',
    spec: fromJsonSchema<{ model: string }>({
      type: 'object',
      properties: { model: { type: 'string', maxLength } },
    }),
  });
const request = (RequestType: DefinitionRequest['RequestType'], maxLength = 9, former = PATH) => ({
  RequestType,
  ...(RequestType !== 'Create' && { PhysicalResourceId: former }),
  ResourceProperties: { definition: JSON.stringify(definitionOf(kindOf(maxLength))) },
});
const gates = () => winnow.objects(kindOf(9), { namespace: 'default' });

it('The custom resource defines a kind that is served when the deployment goes on, also on a repeated request', async () => {
  for (let time = 1; time <= 2; time += 1) {
    expect(await resource(request('Create'))).toEqual({ PhysicalResourceId: PATH });
  }
  await gates().create({ metadata: { name: 'a' }, spec: { model: 'long' } });
});

it('A changed schema fails and changes nothing if the caller may not list the objects', async () => {
  const ann = connect({ url: service.winnow.url, fetch: await asDefiner(service.http, 'ann') });
  const warningsOf: ApiClient['warningsOf'] = async (_method, path, body) => {
    let told: readonly string[] = [];
    const warned = (warnings: readonly string[]) => {
      told = warnings;
    };
    const contentType = 'application/apply-patch+yaml';
    await ann.request(`/${path}`, { method: 'PATCH', body, contentType, warned });
    return told;
  };
  const limited = createDefinitionResource({ api: { ...api, warningsOf }, sleep: async () => {} });
  await expect(limited(request('Update', 8))).rejects.toThrow(
    'gates.fleet.example is unchanged: stored objects were not checked: you may not list gates',
  );
  await gates().create({ metadata: { name: 'nine' }, spec: { model: '123456789' } });
  await gates().delete('nine');
});

it('A narrower schema that stored objects do not fit fails with their names, and changes nothing', async () => {
  await expect(resource(request('Update', 3))).rejects.toThrow(
    'gates.fleet.example is unchanged: the new schema would refuse 1 of 1 stored gates; the new schema would refuse default/a: spec.model',
  );
  await gates().create({ metadata: { name: 'b' }, spec: { model: 'long' } });
  await resource(request('Update', 5));
  await expect(gates().create({ metadata: { name: 'c' }, spec: { model: 'longer' } })).rejects.toThrow(
    'spec.model',
  );
});

it('A deletion keeps the definition and its objects, and a later stack takes the definition over', async () => {
  expect(await resource(request('Delete'))).toEqual({ PhysicalResourceId: PATH });
  expect((await gates().list().toArray()).length).toBe(2);
  await resource(request('Create', 9));
  await gates().create({ metadata: { name: 'c' }, spec: { model: 'longer' } });
});

it('A kind whose names are taken fails at once with the reason, and leaves no definition', async () => {
  const named = definitionOf(kindOf(9));
  const { names } = named.spec as unknown as { names: object };
  const portals = {
    ...named,
    metadata: { name: 'portals.fleet.example' },
    spec: { ...named.spec, names: { ...names, plural: 'portals', singular: 'portal' } },
  };
  const creating = resource({
    RequestType: 'Create',
    ResourceProperties: { definition: JSON.stringify(portals) },
  });
  await expect(creating).rejects.toThrow(
    /^portals\.fleet\.example is not served: "Gate.*" is already in use/,
  );
  const path = 'apis/apiextensions.k8s.io/v1/customresourcedefinitions/portals.fleet.example';
  await eventually('the definition is gone', async () => (await api.ask('GET', path)) === undefined);
});

it('A request is sent again if the server is too busy', async () => {
  let requests = 0;
  const busy = await listen(
    createServer((_, response) => {
      requests += 1;
      response.writeHead(requests < 3 ? 504 : 200, { 'retry-after': '0' }).end('{"message": "busy"}');
    }),
  );
  const client = createApiClient({ url: `${busy.url}/`, token: async () => 'none' });
  expect(await client.ask('PATCH', 'a', {})).toEqual({ message: 'busy' });
  expect(requests).toBe(3);
  await busy.stop();
});

it('A field that another manager owns with another value fails with the name of the manager', async () => {
  const { apiVersion, kind, metadata } = definitionOf(kindOf(9));
  const other = { apiVersion, kind, metadata, spec: { names: { listKind: 'Gates' } } };
  await api.ask('PATCH', `${PATH}?fieldManager=other&force=true`, other);
  const { definition } = request('Create').ResourceProperties;
  const named = JSON.parse(definition);
  named.spec.names.listKind = 'GateList';
  const conflicting = {
    RequestType: 'Update' as const,
    ResourceProperties: { definition: JSON.stringify(named) },
  };
  await expect(resource(conflicting)).rejects.toThrow('other');
});
