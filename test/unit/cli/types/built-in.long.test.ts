import { expect, it } from '@jest/globals';
import { moduleOf } from '../../../../cli/types/module-of.ts';
import { readKind } from '../../../../cli/types/read-kind.ts';
import { resourceTypes, subresourcesOf } from '../../../../lib/kubernetes/resource-types/index.ts';
import { createMemoryApi } from '../../../support/service/memory-api.ts';
import { compile } from './compile.ts';

it('The types of every built-in kind compile, and describe their objects', async () => {
  const api = await createMemoryApi();
  const documents = new Map<string, ReturnType<typeof api.ask>>();
  const reader = {
    send: api.send,
    ask: (method: string, path: string) => {
      const known = documents.get(path) ?? api.ask(method, path);
      documents.set(path, known);
      return known;
    },
  };
  const modules: Record<string, string> = {};
  for (const type of resourceTypes) {
    const { group, version, resource: plural, kind, scope } = type;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const hasStatus = subresourcesOf(type).some(({ name }) => name === 'status');
    const found = { root, plural, kind, namespaced: scope === 'Namespaced', hasStatus };
    modules[`${plural}-${version}-${group || 'core'}`] = moduleOf(await readKind(reader, found));
  }
  expect(Object.keys(modules).length).toBeGreaterThan(60);
  expect(Object.entries(modules).filter(([, text]) => text.includes(': undefined'))).toEqual([]);
  const uses = `
    import { connect, resource } from '@winnow-dev/client/objects';
    import type { CustomResourceDefinition } from './customresourcedefinitions-v1-apiextensions.k8s.io.ts';
    import type { ConfigMap } from './configmaps-v1-core.ts';
    import type { Pod } from './pods-v1-core.ts';
    const winnow = connect();
    const pods = winnow.objects(resource<Pod>('v1', 'pods'), { namespace: 'default' });
    await pods.create({ metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] } });
    const protocol: string | undefined = (await pods.get('a')).spec?.containers[0]?.ports?.[0]?.protocol;
    pods.list('', { fields: { 'spec.nodeName': 'n', 'status.phase': 'Running' } });
    // @ts-expect-error: this field is not selectable
    pods.list('', { fields: { 'spec.containers': 'n' } });
    // @ts-expect-error: a container needs a name
    await pods.create({ metadata: { name: 'a' }, spec: { containers: [{ image: 'i' }] } });
    // @ts-expect-error: the status is written by updateStatus
    await pods.create({ metadata: { name: 'a' }, spec: { containers: [] }, status: {} });
    await winnow.objects(resource<ConfigMap>('v1', 'configmaps'), { namespace: 'a' }).create({ metadata: { name: 'a' }, data: { a: 'b' } });
    const definitions = winnow.objects(resource<CustomResourceDefinition>('apiextensions.k8s.io/v1', 'customresourcedefinitions', { scope: 'Cluster' }));
    const items: unknown = (await definitions.get('a')).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.a?.not?.not?.items;
    console.log(protocol, items);
  `;
  expect(await compile({ ...modules, uses })).toBe('');
});
