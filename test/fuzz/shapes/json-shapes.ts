import { CONFIG_MAPS, KIB, PODS, REVIEWS, repeated, type Shape } from '../fuzz-request.ts';

const list = (bytes: number, part: (index: number) => string) =>
  `[${repeated(bytes, (at) => `${part(at)},`).slice(0, -1)}]`;
const members = (bytes: number, part: (index: number) => string) =>
  `{${repeated(bytes, (at) => `${part(at)},`).slice(0, -1)}}`;

const object = (more: string, metadata = '') => `{"metadata":{"name":"fuzzed"${metadata}},${more}}`;
const meta = (more: string) => object('"data":{}', `,${more}`);
const pod = (spec: string) => object(`"spec":{"containers":[{"name":"a","image":"a"}],${spec}}`);

const TEXTS: Readonly<Record<string, readonly [path: string, (bytes: number) => string]>> = {
  brackets: [CONFIG_MAPS, (bytes) => '['.repeat(bytes)],
  'lists that nest': [CONFIG_MAPS, (bytes) => object(`"x":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`)],
  'objects that nest': [CONFIG_MAPS, (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`],
  'a review that nests': [
    REVIEWS,
    (bytes) => `{"spec":${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}}`,
  ],
  'empty objects': [CONFIG_MAPS, (bytes) => object(`"x":${list(bytes, () => '{}')}`)],
  data: [CONFIG_MAPS, (bytes) => object(`"data":${members(bytes, (at) => `"k${at}":"a"`)}`)],
  'data with wrong keys': [
    CONFIG_MAPS,
    (bytes) => object(`"data":${members(bytes, (at) => `"k ${at}":"a"`)}`),
  ],
  'the same key': [CONFIG_MAPS, (bytes) => object(`"data":${members(bytes, () => '"a":"a"')}`)],
  'unknown fields': [
    CONFIG_MAPS,
    (bytes) => `${members(bytes, (at) => `"x${at}":1`).slice(0, -1)},"metadata":{"name":"a"}}`,
  ],
  escapes: [CONFIG_MAPS, (bytes) => object(`"data":{"a":"${repeated(bytes, () => '\\u0041')}"}`)],
  numbers: [CONFIG_MAPS, (bytes) => object(`"x":${list(bytes, () => '1e999')}`)],
  'a long number': [CONFIG_MAPS, (bytes) => object(`"x":${'1'.repeat(bytes)}`)],
  labels: [CONFIG_MAPS, (bytes) => meta(`"labels":${members(bytes, (at) => `"k${at}":"a"`)}`)],
  'wrong labels': [CONFIG_MAPS, (bytes) => meta(`"labels":${members(bytes, (at) => `"k ${at}":"a b"`)}`)],
  'a long key around fields': [
    CONFIG_MAPS,
    (bytes) => object(`"y":1.5,"${'x'.repeat(bytes / 2)}":${members(bytes / 2, (at) => `"k${at}":1`)}`),
  ],
  'keys that nest around fields': [
    CONFIG_MAPS,
    (bytes) =>
      object(
        `"y":1.5,${'"a":{'.repeat(450)}${members(bytes, (at) => `"k${at}":1`).slice(1, -1)}${'}'.repeat(450)}`,
      ),
  ],
  'unknown fields and fields that are there twice': [
    CONFIG_MAPS,
    (bytes) =>
      object(
        `"data":${members(bytes / 2, (at) => `"k${at}":"","k${at}":""`)},${members(bytes / 2, (at) => `"x${at}":1`).slice(1, -1)}`,
      ),
  ],
  annotations: [CONFIG_MAPS, (bytes) => meta(`"annotations":${members(bytes, (at) => `"K${at}":"a"`)}`)],
  finalizers: [CONFIG_MAPS, (bytes) => meta(`"finalizers":${list(bytes, (at) => `"a.example/f${at}"`)}`)],
  owners: [
    CONFIG_MAPS,
    (bytes) =>
      meta(
        `"ownerReferences":${list(bytes, (at) => `{"apiVersion":"v1","kind":"Pod","name":"a${at}","uid":"u${at}"}`)}`,
      ),
  ],
  managers: [
    CONFIG_MAPS,
    (bytes) =>
      meta(
        `"managedFields":${list(bytes, (at) => `{"manager":"m${at}","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}`)}`,
      ),
  ],
  'fields of a manager': [
    CONFIG_MAPS,
    (bytes) =>
      meta(
        `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${members(bytes, (at) => `"f:a${at}":{}`)}}]`,
      ),
  ],
  containers: [
    PODS,
    (bytes) => object(`"spec":{"containers":${list(bytes, (at) => `{"name":"c${at}","image":"a"}`)}}`),
  ],
  'wrong containers': [
    PODS,
    (bytes) => object(`"spec":{"containers":${list(bytes, () => '{"name":"A B"}')}}`),
  ],
  'empty containers': [PODS, (bytes) => object(`"spec":{"containers":${list(bytes, () => '{}')}}`)],
  'ports of a container': [
    PODS,
    (bytes) =>
      object(
        `"spec":{"containers":[{"name":"a","image":"a","ports":${list(bytes, (at) => `{"containerPort":${at + 1},"name":"p${at}"}`)}}]}`,
      ),
  ],
  'variables of a container': [
    PODS,
    (bytes) =>
      object(
        `"spec":{"containers":[{"name":"a","image":"a","env":${list(bytes, (at) => `{"name":"V${at}","value":"$(V${at})"}`)}}]}`,
      ),
  ],
  volumes: [PODS, (bytes) => pod(`"volumes":${list(bytes, (at) => `{"name":"v${at}","emptyDir":{}}`)}`)],
  'mounts of a volume': [
    PODS,
    (bytes) =>
      object(
        `"spec":{"volumes":[{"name":"v","emptyDir":{}}],"containers":[{"name":"a","image":"a","volumeMounts":${list(bytes, (at) => `{"name":"v","mountPath":"/${at}"}`)}}]}`,
      ),
  ],
  tolerations: [
    PODS,
    (bytes) => pod(`"tolerations":${list(bytes, (at) => `{"key":"k${at}","operator":"Exists"}`)}`),
  ],
  'terms of affinity': [
    PODS,
    (bytes) =>
      pod(
        `"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":${list(bytes, (at) => `{"matchExpressions":[{"key":"k${at}","operator":"In","values":["a"]}]}`)}}}}`,
      ),
  ],
  'spread constraints': [
    PODS,
    (bytes) =>
      pod(
        `"topologySpreadConstraints":${list(bytes, (at) => `{"maxSkew":1,"topologyKey":"k${at}","whenUnsatisfiable":"DoNotSchedule"}`)}`,
      ),
  ],
  'host aliases': [
    PODS,
    (bytes) => pod(`"hostAliases":${list(bytes, (at) => `{"ip":"1.1.1.${at % 250}","hostnames":["a"]}`)}`),
  ],
  quantities: [
    PODS,
    (bytes) =>
      object(
        `"spec":{"containers":[{"name":"a","image":"a","resources":{"limits":${members(bytes, (at) => `"a.example/k${at}":"1"`)}}}]}`,
      ),
  ],
  'a long quantity': [
    PODS,
    (bytes) =>
      object(
        `"spec":{"containers":[{"name":"a","image":"a","resources":{"limits":{"cpu":"${'1'.repeat(bytes)}"}}}]}`,
      ),
  ],
  'rules of a network policy': [
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    (bytes) =>
      object(
        `"spec":{"podSelector":{},"ingress":${list(bytes, (at) => `{"from":[{"ipBlock":{"cidr":"10.0.${at % 250}.0/24"}}]}`)}}`,
      ),
  ],
  'rules of a role': [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    (bytes) =>
      object(`"rules":${list(bytes, (at) => `{"apiGroups":[""],"resources":["r${at}"],"verbs":["get"]}`)}`),
  ],
  'subjects of a binding': [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
    (bytes) =>
      object(
        `"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},"subjects":${list(bytes, (at) => `{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"u${at}"}`)}`,
      ),
  ],
  'ports of a service': [
    '/api/v1/namespaces/default/services',
    (bytes) =>
      object(`"spec":{"ports":${list(bytes, (at) => `{"name":"p${at}","port":${(at % 65535) + 1}}`)}}`),
  ],
  'expressions of a selector': [
    '/apis/apps/v1/namespaces/default/deployments',
    (bytes) =>
      object(
        `"spec":{"selector":{"matchExpressions":${list(bytes, (at) => `{"key":"k${at}","operator":"Exists"}`)}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"a","image":"a"}]}}}`,
      ),
  ],
  endpoints: [
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    (bytes) =>
      object(
        `"addressType":"IPv4","endpoints":${list(bytes, (at) => `{"addresses":["10.0.0.${at % 250}"]}`)}`,
      ),
  ],
  'a selector of a subscription': [
    '/apis/winnow.dev/v1/namespaces/default/subscriptions',
    (bytes) =>
      object(
        `"spec":{"resource":{"group":"","resource":"pods"},"labelSelector":"${repeated(bytes, (at) => `k${at} in (a,b),`).slice(0, -1)}"}`,
      ),
  ],
  'a pod that is placed': [
    '/apis/winnow.dev/v1/placementreviews',
    (bytes) =>
      object(
        `"spec":{"pod":{"spec":{"containers":[{"name":"a","image":"a"}],"tolerations":${list(bytes, (at) => `{"key":"k${at}","operator":"Exists"}`)}}}}`,
      ),
  ],
};

export const JSON_SHAPES: readonly Shape[] = Object.entries(TEXTS).flatMap(([name, [path, text]]) =>
  ['Warn', 'Strict'].map((validation) => ({
    name: `JSON, ${validation}: ${name}`,
    most: 3072 * KIB - 64,
    make: (bytes: number) => ({
      method: 'POST',
      path: `${path}?dryRun=All&fieldValidation=${validation}`,
      type: 'application/json',
      body: text(Math.max(8, Math.floor(bytes) - 400)),
    }),
  })),
);
