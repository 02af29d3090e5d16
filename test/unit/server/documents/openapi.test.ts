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

describe('OpenAPI v3', () => {
  it('has one document for each group and version', () => {
    const expected = resourceTypes.map(({ group, version }) =>
      group ? `apis/${group}/${version}` : `api/${version}`,
    );
    expect(Object.keys(index)).toEqual([...new Set(expected)]);
    expect(documents.every((document) => document.openapi === '3.0.0')).toBe(true);
  });

  it('lets a document be kept for as long as its hash is current', () => {
    const url = index['api/v1']?.serverRelativeURL ?? '';
    expect(get(url)?.headers['cache-control']).toContain('immutable');
    expect(get(url.replace(/hash=.*/, 'hash=OLD'))?.headers).not.toHaveProperty('cache-control');
    expect(get('/openapi/v3/api/v1')?.headers).not.toHaveProperty('cache-control');
  });

  it('says that every PATCH is validated and dry-run by the server, and not what it takes', () => {
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
    'explains %s',
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

  it('describes the selectors in the bodies that have them', () => {
    const { schemas } = read('/openapi/v3/apis/networking.k8s.io/v1').components;
    const { podSelector } = schemas['io.k8s.api.networking.v1.NetworkPolicySpec'].properties;
    expect(podSelector.$ref).toMatch(/LabelSelector$/);
    const core = read('/openapi/v3/api/v1').components.schemas;
    expect(core['io.k8s.api.core.v1.ServiceSpec'].properties.selector).toMatchObject({
      additionalProperties: { type: 'string' },
    });
  });

  it('goes as deep as the fields of a kind do, with how their lists are merged', () => {
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

  it('is as small as names and types are: no client waits for it', () => {
    const sizes = documents.map((document) => JSON.stringify(document).length);
    expect(Math.max(...sizes)).toBeLessThan(400_000);
  });

  it('refers to nothing that is not there', () => {
    for (const document of documents) {
      const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, name]) => name,
      );
      expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining([...new Set(names)]));
    }
  });
});

describe('OpenAPI v2', () => {
  it('is an empty protobuf document for requests of protobuf, as kubectl sends them', () => {
    expect(get('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf')).toEqual({
      headers: { 'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
      body: '',
    });
  });

  it('is in JSON what the documents of v3 are together', () => {
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
  'there is no OpenAPI document at %s',
  (path) => {
    expect(get(path)).toBeUndefined();
  },
);
