import { describe, expect, it } from '@jest/globals';
import { loadComponents } from '../../../../lib/kubernetes/openapi/index.ts';
import { isStored, resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';
import { openApi } from '../../../../lib/server/documents/openapi.ts';

const components = await loadComponents();

type Json = ReturnType<typeof JSON.parse>;

function get(url: string, accept?: string) {
  const { pathname, searchParams } = new URL(url, 'http://winnow');
  return openApi(pathname, { query: searchParams, accept, types: resourceTypes, components });
}

function read(url: string): Json {
  return JSON.parse(String(get(url)?.body ?? 'null'));
}

const index: Record<string, { serverRelativeURL: string }> = read('/openapi/v3').paths;
const documents = Object.values(index).map(({ serverRelativeURL }) => read(serverRelativeURL));

function operations(document: Json): { path: string; method: string; operation: Json }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, { parameters: _, ...methods }]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The fields of a message that has texts and messages only. */
function fieldsOf(message: Uint8Array): { field: number; bytes: Uint8Array }[] {
  const fields: { field: number; bytes: Uint8Array }[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const length = varint();
    fields.push({ field: Math.floor(tag / 8), bytes: message.subarray(at, at + length) });
    at += length;
  }
  return fields;
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
    const main = patches.filter(({ path }) => path.endsWith('/{name}'));
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
    expect(podSelector.allOf[0].$ref).toMatch(/LabelSelector$/);
    const core = read('/openapi/v3/api/v1').components.schemas;
    expect(core['io.k8s.api.core.v1.ServiceSpec'].properties.selector).toMatchObject({
      additionalProperties: { type: 'string' },
    });
  });

  it('A document has the nested fields of a kind, with their descriptions and the merge rules of their lists', () => {
    const { schemas } = read('/openapi/v3/api/v1').components;
    const { containers } = schemas['io.k8s.api.core.v1.PodSpec'].properties;
    expect(schemas['io.k8s.api.core.v1.PodSpec'].required).toEqual(['containers']);
    expect(containers).toMatchObject({
      description: expect.stringMatching(/^List of containers belonging to the pod\./),
      type: 'array',
      items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }] },
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    });
    expect(schemas['io.k8s.api.core.v1.Probe'].properties.periodSeconds).toMatchObject({
      type: 'integer',
      format: 'int32',
    });
  });

  it('A document names the kinds of other modules as Kubernetes does', () => {
    const named = (path: string) => Object.keys(read(`/openapi/v3/apis/${path}`).components.schemas);
    expect(named('apiextensions.k8s.io/v1')).toContain(
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
    );
    expect(named('autoscaling/v2')).toContain('io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler');
  });

  it('A document has no empty list of parameters, which readers in Go lose', () => {
    expect(JSON.stringify(documents)).not.toContain('"parameters":[]');
  });

  it('A document is at most a third of what kube-apiserver sends for its core group', () => {
    const sizes = documents.map((document) => JSON.stringify(document).length);
    expect(Math.max(...sizes)).toBeLessThan(1_972_821 / 3);
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
  const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

  it('The document has the path of discovery of each group of Kubernetes', () => {
    const { paths, definitions } = read('/openapi/v2');
    const ids = Object.entries<Json>(paths).flatMap(([path, { get: { operationId } = {} }]) =>
      path.endsWith('/') ? [[path, operationId]] : [],
    );
    expect(ids.slice(0, 3)).toEqual([
      ['/api/v1/', 'getCoreV1APIResources'],
      ['/apis/admissionregistration.k8s.io/v1/', 'getAdmissionregistrationV1APIResources'],
      ['/apis/apiextensions.k8s.io/v1/', 'getApiextensionsV1APIResources'],
    ]);
    expect(ids.map(([path]) => path)).not.toContain('/apis/winnow.dev/v1/');
    expect(definitions).toHaveProperty(['io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList']);
  });

  it('The document has the deprecated paths of watches, from which some clients derive how to watch', () => {
    const { paths, definitions } = read('/openapi/v2');
    const found = Object.entries(paths).flatMap(([path, { get: operation }]: [string, Json]) =>
      /^\/api\/v1\/watch\/.*(configmaps|nodes)/.test(path)
        ? [[path, operation.operationId, operation['x-kubernetes-action']]]
        : [],
    );
    expect(found).toEqual([
      ['/api/v1/watch/configmaps', 'watchCoreV1ConfigMapListForAllNamespaces', 'watchlist'],
      ['/api/v1/watch/namespaces/{namespace}/configmaps', 'watchCoreV1NamespacedConfigMapList', 'watchlist'],
      ['/api/v1/watch/namespaces/{namespace}/configmaps/{name}', 'watchCoreV1NamespacedConfigMap', 'watch'],
      ['/api/v1/watch/nodes', 'watchCoreV1NodeList', 'watchlist'],
      ['/api/v1/watch/nodes/{name}', 'watchCoreV1Node', 'watch'],
    ]);
    expect(definitions).toHaveProperty(['io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent']);
    expect(Object.keys(paths).filter((path) => /watch.*(winnow|devices)/.test(path))).toEqual([]);
  });

  it('The document has the lists of histories, and the reason why such a list ends', () => {
    const { paths, definitions } = read('/openapi/v2');
    const found = Object.entries<Json>(paths).filter(([path]) => path.endsWith('/histories'));
    const facts = found.map(([path, { parameters: _in, ...methods }]) => [path, Object.keys(methods)]);
    expect(facts).toEqual([
      ['/apis/winnow.dev/v1/histories', ['get']],
      ['/apis/winnow.dev/v1/namespaces/{namespace}/histories', ['get']],
    ]);
    const names = found[0]?.[1].get.parameters.map(({ name }: Json) => name);
    expect(names).toEqual([
      'labelSelector',
      'fieldSelector',
      'limit',
      'continue',
      'since',
      'until',
      'all',
      'states',
    ]);
    expect(definitions['dev.winnow.v1.HistoryList'].properties.end.type).toBe('string');
    expect(Object.keys(definitions['dev.winnow.v1.History'].properties)).toContain('previousResourceVersion');
  });

  it('The document is a message of gnostic in protobuf, as kubectl requests it', () => {
    const { headers, body } = get('/openapi/v2', PROTOBUF) ?? { headers: {}, body: '' };
    expect(headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    const fields = fieldsOf(body as Uint8Array);
    expect(fields.map(({ field }) => field)).toEqual([1, 2, 8, 9]);
    const names = fieldsOf(fields[3]?.bytes ?? new Uint8Array()).map(({ bytes }) =>
      new TextDecoder().decode(fieldsOf(bytes)[0]?.bytes),
    );
    expect(names).toEqual(Object.keys(read('/openapi/v2').definitions));
  });

  it('The document keeps a property that is called $ref', () => {
    const { properties } =
      read('/openapi/v2').definitions[
        'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'
      ];
    expect(properties.$ref).toEqual({ type: 'string' });
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
