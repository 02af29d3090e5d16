import type { JsonValue } from '../../../lib/json/index.ts';
import { type ResourceType, resourceTypes } from '../../../lib/kubernetes/resource-types/index.ts';
import type { Recorded } from '../../golden/recording.ts';
import { lifeOfCertificateRequests } from './certificate-requests.ts';
import { clusterKinds } from './cluster-kinds.ts';
import { statusesOfJobs, workloadKinds } from './workloads/index.ts';

type Request = Pick<Recorded, 'method' | 'path' | 'contentType' | 'body'>;

const NAMESPACE = 'swept';
const JSON_TYPE = 'application/json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
/** Kinds without objects to compare: their objects are the server's own, or there are none. */
const LEFT_OUT = new Set(['namespaces', 'apiservices', 'customresourcedefinitions', 'componentstatuses']);

/**
 * Requests that no recording has: the same ones for every kind that both servers serve. They have no answer yet, so
 * each has the status 0.
 */
export function sweep(): Recorded[] {
  const make = { method: 'POST', path: '/api/v1/namespaces', contentType: JSON_TYPE };
  const prepared: Recorded = { n: 1, ...make, body: { metadata: { name: NAMESPACE } }, status: 0 };
  const swept = resourceTypes
    .filter(({ builtin, resource }) => builtin && !LEFT_OUT.has(resource))
    .flatMap((type) => requestsOf(type).map((request) => ({ kind: type.kind, request })));
  return [
    prepared,
    ...[...swept, ...contentRequests(), ...certificateRequests(), ...jobRequests()].map(
      ({ kind, request }, index) => ({
        n: index + 2,
        case: `${kind} | ${request.method} ${request.path} ${titleOf(request.body)}`,
        ...request,
        status: 0,
      }),
    ),
  ];
}

function certificateRequests() {
  return lifeOfCertificateRequests.map(({ body, ...request }) => ({
    kind: 'CertificateSigningRequest',
    request: { ...request, ...(body !== undefined && { body, contentType: JSON_TYPE }) },
  }));
}

function jobRequests() {
  return statusesOfJobs.map((request) => ({ kind: 'Job', request }));
}

function contentRequests() {
  return [...clusterKinds, ...workloadKinds].flatMap(({ path, apiVersion, kind, contents }) =>
    contents.map((content, at) => ({
      kind,
      request: {
        method: 'POST',
        path,
        contentType: JSON_TYPE,
        body: { apiVersion, kind, metadata: { name: `content-${at}` }, ...content },
      },
    })),
  );
}

/** The requests in the life of an object without content, with common mistakes. */
function requestsOf({ group, version, kind, resource, scope }: ResourceType): Request[] {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const root = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
  const all = scope === 'Namespaced' ? `${root}/namespaces/${NAMESPACE}/${resource}` : `${root}/${resource}`;
  const one = `${all}/swept`;
  const metadata = { name: 'swept' };
  const post = (body: JsonValue) => ({ method: 'POST', path: all, contentType: JSON_TYPE, body });
  const patch = (contentType: string, body: JsonValue) => ({ method: 'PATCH', path: one, contentType, body });
  return [
    { method: 'GET', path: one },
    { method: 'GET', path: `${all}?labelSelector=a+in+b` },
    { method: 'GET', path: `${all}?fieldSelector=nothing%3Dhere` },
    { method: 'DELETE', path: one },
    patch(MERGE_PATCH, {}),
    post({}),
    post({ apiVersion, kind: 'Other', metadata }),
    post({ apiVersion, kind, metadata: { name: 'Not_A_Name' } }),
    post({ apiVersion, kind, metadata: { ...metadata, labels: { 'not a key': '' } } }),
    post({ apiVersion, kind, metadata, spec: 1 }),
    post({ apiVersion, kind, metadata, spec: {}, unknown: 1 }),
    post({ apiVersion, kind, metadata }),
    { method: 'GET', path: one },
    { method: 'GET', path: all },
    patch(MERGE_PATCH, { metadata: { labels: { a: 'b' } } }),
    patch(STRATEGIC_PATCH, { metadata: { labels: { a: null }, annotations: { c: 'd' } } }),
    { method: 'PUT', path: one, contentType: JSON_TYPE, body: { apiVersion, kind, metadata } },
    { method: 'DELETE', path: one },
    {
      method: 'PUT',
      path: one,
      contentType: JSON_TYPE,
      body: { apiVersion, kind, metadata: { ...metadata, resourceVersion: '1' } },
    },
    { method: 'DELETE', path: `${all}?labelSelector=a` },
    { method: 'DELETE', path: one },
  ];
}

function titleOf(body: JsonValue | undefined): string {
  return body === undefined ? '' : JSON.stringify(body);
}
