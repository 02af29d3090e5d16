import { describe, expect, it } from '@jest/globals';
import { loadFields } from '../../../../lib/kubernetes/fields/index.ts';
import { isStored, resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';
import { openApi } from '../../../../lib/server/documents/openapi.ts';

const fields = await loadFields();

type Json = ReturnType<typeof JSON.parse>;

function get(url: string, accept?: string) {
  const { pathname, searchParams } = new URL(url, 'http://winnow');
  return openApi(pathname, { query: searchParams, accept, types: resourceTypes, fields });
}

function read(url: string): Json {
  return JSON.parse(get(url)?.body ?? 'null');
}

const index: Record<string, { serverRelativeURL: string }> = read('/openapi/v3').paths;
const documents = Object.values(index).map(({ serverRelativeURL }) => read(serverRelativeURL));

function operations(document: Json): { path: string; method: string; operation: Json }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, { parameters: _, ...methods }]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

describe('The OpenAPI v3 documents', () => {
  it('There is one document for each group and version', () => {
    const expected = resourceTypes.map(({ group, version }) =>
      group ? `apis/${group}/${version}` : `api/${version}`,
    );
    expect(Object.keys(index)).toEqual([...new Set(expected)]);
    expect(documents.every((document) => document.openapi === '3.0.0')).toBe(true);
  });

  it('A document may be cached as long as its hash is current', () => {
    const url = index['api/v1']?.serverRelativeURL ?? '';
    expect(get(url)?.headers['cache-control']).toContain('immutable');
    expect(get(url.replace(/hash=.*/, 'hash=OLD'))?.headers).not.toHaveProperty('cache-control');
    expect(get('/openapi/v3/api/v1')?.headers).not.toHaveProperty('cache-control');
  });

  it('A document says that the server validates and dry-runs every PATCH, and not what it accepts', () => {
    const patches = documents.flatMap(operations).filter(({ method }) => method === 'patch');
    const main = patches.filter(({ path }) => !path.endsWith('/status'));
    expect(main).toHaveLength(resourceTypes.filter(({ verbs }) => verbs.includes('patch')).length);
    for (const { operation } of patches) {
      expect(operation.parameters.map((parameter: Json) => parameter.name)).toEqual(
        expect.arrayContaining(['dryRun', 'fieldValidation']),
      );
      expect(operation).not.toHaveProperty('requestBody');
    }
  });

  it.each(resourceTypes.filter(isStored).map((type) => [type.kind, type] as const))(
    'A document explains %s',
    (_, type) => {
      const root = type.group ? `apis/${type.group}/${type.version}` : `api/${type.version}`;
      const document = read(`/openapi/v3/${root}`);
      const gvk = { group: type.group, version: type.version, kind: type.kind };
      const scope = type.scope === 'Namespaced' ? '/namespaces/{namespace}' : '';
      const item = document.paths[`/${root}${scope}/${type.resource}/{name}`];
      expect(item.get['x-kubernetes-group-version-kind']).toEqual(gvk);
      expect(`/${root}${scope}/${type.resource}/{name}/status` in document.paths).toBe(type.status);
      const schemas = Object.values<Json>(document.components.schemas).filter((schema) =>
        schema['x-kubernetes-group-version-kind']?.some((entry: Json) => entry.kind === type.kind),
      );
      expect(schemas).toHaveLength(1);
      expect(schemas[0]['x-kubernetes-group-version-kind']).toEqual([gvk]);
      expect(Object.keys(schemas[0].properties)).toEqual(
        expect.arrayContaining(['apiVersion', 'kind', 'metadata', ...Object.keys(type.properties)]),
      );
    },
  );

  it('A document describes the selectors in the bodies that have them', () => {
    const { schemas } = read('/openapi/v3/apis/networking.k8s.io/v1').components;
    const { podSelector } = schemas['io.k8s.api.networking.v1.NetworkPolicySpec'].properties;
    expect(podSelector.$ref).toMatch(/LabelSelector$/);
    const core = read('/openapi/v3/api/v1').components.schemas;
    expect(core['io.k8s.api.core.v1.ServiceSpec'].properties.selector).toMatchObject({
      additionalProperties: { type: 'string' },
    });
  });

  it('A document has all nested fields of a kind, with the merge rules of their lists', () => {
    const { schemas } = read('/openapi/v3/api/v1').components;
    const { containers } = schemas['io.k8s.api.core.v1.PodSpec'].properties;
    expect(containers).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/io.k8s.api.core.v1.Container' },
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    });
    const { livenessProbe } = schemas['io.k8s.api.core.v1.Container'].properties;
    expect(livenessProbe.$ref).toMatch(/core\.v1\.Probe$/);
    expect(schemas['io.k8s.api.core.v1.Probe'].properties.periodSeconds).toEqual({
      type: 'integer',
      format: 'int32',
    });
  });

  it('A document is no larger than its names and types, so that no client waits for it', () => {
    const sizes = documents.map((document) => JSON.stringify(document).length);
    expect(Math.max(...sizes)).toBeLessThan(400_000);
  });

  it('A document refers only to existing definitions', () => {
    for (const document of documents) {
      const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, name]) => name,
      );
      expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining([...new Set(names)]));
    }
  });
});

describe('The OpenAPI v2 document', () => {
  it('The document is empty in protobuf, as kubectl requests it', () => {
    expect(get('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf')).toEqual({
      headers: { 'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
      body: '',
    });
  });

  it('The document in JSON is the v3 documents together', () => {
    const { swagger, paths, definitions } = read('/openapi/v2');
    expect(swagger).toBe('2.0');
    expect(Object.keys(paths)).toEqual(documents.flatMap((document) => Object.keys(document.paths)));
    const pod = paths['/api/v1/namespaces/{namespace}/pods'].post;
    expect(pod.parameters).toContainEqual({
      name: 'body',
      in: 'body',
      required: true,
      schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' },
    });
    expect(pod.parameters).toContainEqual({ name: 'dryRun', in: 'query', type: 'string' });
    const names = [...JSON.stringify({ paths, definitions }).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)];
    expect(names.length).toBeGreaterThan(100);
    for (const [, name = ''] of names) expect(definitions).toHaveProperty([name]);
    expect(JSON.stringify(paths)).not.toContain('#/components');
  });
});

it.each(['/openapi', '/openapi/v4', '/openapi/v2/x', '/openapi/v3/apis/nowhere/v1', '/api/v1'])(
  'There is no OpenAPI document at %s',
  (path) => {
    expect(get(path)).toBeUndefined();
  },
);
