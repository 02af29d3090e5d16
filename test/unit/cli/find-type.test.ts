import { beforeAll, expect, it } from '@jest/globals';
import { findType } from '../../../cli/finding/find-type.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';

let api: MemoryApi;

beforeAll(async () => {
  api = await createMemoryApi();
  await define('sensor', ['v1', 'v1alpha1']);
  await define('agent', ['v1beta1', 'v1alpha1']);
});

it.each([
  ['sensors', 'v1'],
  ['sensors.fleet.example', 'v1'],
  ['sensors.v1alpha1.fleet.example', 'v1alpha1'],
  ['agents', 'v1beta1'],
  ['agents.fleet.example', 'v1beta1'],
  ['Agent.v1alpha1.fleet.example', 'v1alpha1'],
])('The type %s is found in the version %s, which need not be the preferred one', async (named, version) => {
  const { root, kind } = await findType(api, named);
  expect(root).toBe(`/apis/fleet.example/${version}`);
  expect(kind).toMatch(/^(Sensor|Agent)$/);
});

it.each([
  ['pods', '/api/v1'],
  ['pods.v1.', '/api/v1'],
  ['deployments.v1.apps', '/apis/apps/v1'],
])('The built-in type %s is found in %s', async (named, root) => {
  expect((await findType(api, named)).root).toBe(root);
});

it.each(['agents.v1.fleet.example', 'agents.v1', 'agents.apps', 'pods.v2.', 'none'])(
  'The type %s, which the server does not have, is an error',
  async (named) => {
    await expect(findType(api, named)).rejects.toThrow(`the server has no type ${named}`);
  },
);

/** Creates a definition of a kind in `fleet.example`; it stores the first version. */
async function define(singular: string, names: readonly string[]): Promise<void> {
  const plural = `${singular}s`;
  const kind = singular.replace(/^./, (first) => first.toUpperCase());
  await api.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.fleet.example` },
    spec: {
      group: 'fleet.example',
      scope: 'Namespaced',
      names: { plural, singular, kind },
      versions: names.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  });
}
