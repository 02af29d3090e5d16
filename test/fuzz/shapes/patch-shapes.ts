import { CONFIG_MAPS, type FuzzRequest, KIB, PODS, repeated, type Shape } from '../fuzz-request.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const list = (bytes: number, part: (index: number) => string) =>
  `[${repeated(bytes, (at) => `${part(at)},`).slice(0, -1)}]`;
const members = (bytes: number, part: (index: number) => string) =>
  `{${repeated(bytes, (at) => `${part(at)},`).slice(0, -1)}}`;
const after = (first: string, bytes: number, part: (index: number) => string) =>
  `[${first},${repeated(bytes, (at) => `${part(at)},`).slice(0, -1)}]`;

const numbers = (bytes: number) => list(bytes, (at) => String(at % 10));

const BEFORE: readonly FuzzRequest[] = [
  {
    method: 'POST',
    path: CONFIG_MAPS,
    type: 'application/json',
    body: JSON.stringify({ metadata: { name: 'standing' }, data: { a: 'b' } }),
  },
  {
    method: 'POST',
    path: PODS,
    type: 'application/json',
    body: JSON.stringify({
      metadata: { name: 'standing' },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    }),
  },
];

const MAP = `${CONFIG_MAPS}/standing`;
const POD = `${PODS}/standing`;

const TEXTS: Readonly<Record<string, readonly [path: string, type: string, (bytes: number) => string]>> = {
  'JSON patch: additions': [
    MAP,
    JSON_PATCH,
    (bytes) => list(bytes, (at) => `{"op":"add","path":"/data/k${at}","value":"a"}`),
  ],
  'JSON patch: tests': [MAP, JSON_PATCH, (bytes) => list(bytes, () => '{"op":"test","path":"","value":{}}')],
  'JSON patch: tests of a large value': [
    MAP,
    JSON_PATCH,
    (bytes) =>
      after(
        `{"op":"add","path":"/x","value":${numbers(bytes / 2)}}`,
        bytes / 2,
        () => '{"op":"test","path":"/x","value":[0,1]}',
      ),
  ],
  'JSON patch: copies of the whole': [
    MAP,
    JSON_PATCH,
    (bytes) => list(bytes, () => '{"op":"copy","from":"","path":"/data/x"}'),
  ],
  'JSON patch: copies that double': [
    MAP,
    JSON_PATCH,
    (bytes) =>
      after(
        '{"op":"add","path":"/x","value":{}}',
        bytes,
        (at) => `{"op":"copy","from":"/x","path":"/x/k${at}"}`,
      ),
  ],
  'JSON patch: copies of a large value': [
    MAP,
    JSON_PATCH,
    (bytes) =>
      after(
        `{"op":"add","path":"/x","value":${numbers(bytes / 2)}}`,
        bytes / 2,
        (at) => `{"op":"copy","from":"/x","path":"/k${at}"}`,
      ),
  ],
  'JSON patch: additions at the front': [
    MAP,
    JSON_PATCH,
    (bytes) =>
      after(
        `{"op":"add","path":"/x","value":${numbers(bytes / 2)}}`,
        bytes / 2,
        () => '{"op":"add","path":"/x/0","value":1}',
      ),
  ],
  'JSON patch: removals at the front': [
    MAP,
    JSON_PATCH,
    (bytes) =>
      after(
        `{"op":"add","path":"/x","value":${numbers(bytes / 2)}}`,
        bytes / 2,
        () => '{"op":"remove","path":"/x/0"}',
      ),
  ],
  'JSON patch: moves': [
    MAP,
    JSON_PATCH,
    (bytes) =>
      after(`{"op":"add","path":"/x","value":${numbers(bytes / 2)}}`, bytes / 2, (at) =>
        at % 2 === 0 ? '{"op":"move","from":"/x","path":"/y"}' : '{"op":"move","from":"/y","path":"/x"}',
      ),
  ],
  'JSON patch: long pointers': [
    MAP,
    JSON_PATCH,
    (bytes) => list(bytes, () => `{"op":"add","path":"${'/data'.repeat(500)}","value":1}`),
  ],
  'JSON patch: one long pointer': [
    MAP,
    JSON_PATCH,
    (bytes) => `[{"op":"add","path":"${'/a'.repeat(bytes / 2)}","value":1}]`,
  ],
  'JSON patch: deep values': [
    MAP,
    JSON_PATCH,
    (bytes) => `[{"op":"add","path":"/x","value":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}]`,
  ],
  'merge patch: keys': [MAP, MERGE, (bytes) => `{"data":${members(bytes, (at) => `"k${at}":"a"`)}}`],
  'merge patch: nulls': [MAP, MERGE, (bytes) => `{"data":${members(bytes, (at) => `"k${at}":null`)}}`],
  'merge patch: deep': [MAP, MERGE, (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`],
  'strategic: containers': [
    POD,
    STRATEGIC,
    (bytes) => `{"spec":{"containers":${list(bytes, (at) => `{"name":"c${at}","image":"a"}`)}}}`,
  ],
  'strategic: deletions': [
    POD,
    STRATEGIC,
    (bytes) => `{"spec":{"containers":${list(bytes, (at) => `{"$patch":"delete","name":"c${at}"}`)}}}`,
  ],
  'strategic: an order': [
    POD,
    STRATEGIC,
    (bytes) => `{"spec":{"$setElementOrder/containers":${list(bytes, (at) => `{"name":"c${at}"}`)}}}`,
  ],
  'strategic: containers in an order': [
    POD,
    STRATEGIC,
    (bytes) =>
      `{"spec":{"$setElementOrder/containers":${list(bytes / 2, (at) => `{"name":"c${at}"}`)},"containers":${list(bytes / 2, (at) => `{"name":"c${at}","image":"a"}`)}}}`,
  ],
  'strategic: finalizers': [
    POD,
    STRATEGIC,
    (bytes) => `{"metadata":{"finalizers":${list(bytes, (at) => `"a.example/f${at}"`)}}}`,
  ],
  'strategic: finalizers that go': [
    POD,
    STRATEGIC,
    (bytes) =>
      `{"metadata":{"$deleteFromPrimitiveList/finalizers":${list(bytes / 2, (at) => `"a.example/f${at}"`)},"finalizers":${list(bytes / 2, (at) => `"a.example/g${at}"`)}}}`,
  ],
  'strategic: kept keys': [
    POD,
    STRATEGIC,
    (bytes) => `{"spec":{"$retainKeys":${list(bytes, (at) => `"k${at}"`)}}}`,
  ],
  'strategic: tolerations': [
    POD,
    STRATEGIC,
    (bytes) => `{"spec":{"tolerations":${list(bytes, (at) => `{"key":"k${at}","operator":"Exists"}`)}}}`,
  ],
  'strategic: owners': [
    POD,
    STRATEGIC,
    (bytes) =>
      `{"metadata":{"ownerReferences":${list(bytes, (at) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"u${at}"}`)}}}`,
  ],
  'apply: data': [
    MAP,
    APPLY,
    (bytes) => `{"apiVersion":"v1","kind":"ConfigMap","data":${members(bytes, (at) => `"k${at}":"a"`)}}`,
  ],
  'apply: the same key': [
    MAP,
    APPLY,
    (bytes) => `{"apiVersion":"v1","kind":"ConfigMap","data":${members(bytes, () => '"k":"a"')}}`,
  ],
  'apply: conflicts': [
    MAP,
    APPLY,
    (bytes) =>
      `{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"c",${members(bytes, (at) => `"k${at}":"a"`).slice(1)}}`,
  ],
  'apply: containers': [
    POD,
    APPLY,
    (bytes) =>
      `{"apiVersion":"v1","kind":"Pod","spec":{"containers":${list(bytes, (at) => `{"name":"c${at}","image":"a"}`)}}}`,
  ],
  'apply: the same container': [
    POD,
    APPLY,
    (bytes) =>
      `{"apiVersion":"v1","kind":"Pod","spec":{"containers":${list(bytes, () => '{"name":"c","image":"a"}')}}}`,
  ],
  'apply: ports': [
    POD,
    APPLY,
    (bytes) =>
      `{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","image":"b","ports":${list(bytes, (at) => `{"containerPort":${(at % 65_535) + 1},"protocol":"TCP"}`)}}]}}`,
  ],
  'apply: finalizers': [
    MAP,
    APPLY,
    (bytes) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"finalizers":${list(bytes, (at) => `"a.example/f${at}"`)}}}`,
  ],
  'apply: unknown fields': [
    MAP,
    APPLY,
    (bytes) => `{"apiVersion":"v1","kind":"ConfigMap",${members(bytes, (at) => `"x${at}":1`).slice(1)}`,
  ],
  'apply: aliases': [
    MAP,
    APPLY,
    (bytes) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: &m\n  labels: *m\ndata:\n${repeated(bytes, (at) => `  k${at}: a\n`)}`,
  ],
};

export const PATCH_SHAPES: readonly Shape[] = Object.entries(TEXTS).map(([name, [path, type, text]]) => ({
  name,
  most: type === APPLY ? 1024 * KIB - 64 : 3072 * KIB - 64,
  before: BEFORE,
  make: (bytes) => ({
    method: 'PATCH',
    path: `${path}?dryRun=All${type === APPLY ? '&fieldManager=fuzz' : ''}`,
    type,
    body: text(Math.max(8, Math.floor(bytes) - 300)),
  }),
}));
