import { describe, expect, it } from '@jest/globals';
import { attributesOf, forbiddenAccess } from '../../../../lib/server/access/index.ts';

const told = (method: string, target: string) => {
  const [path = '', query = ''] = target.split('?', 2);
  return attributesOf({ method, path, query: new URLSearchParams(query) });
};

const HISTORIES = '/apis/winnow.dev/v1/histories';

describe('The attributes of a request, derived from its path', () => {
  // As in k8s.io/apiserver/pkg/endpoints/request/requestinfo_test.go.
  it.each([
    ['GET', '/api/v1/namespaces', 'list', '', 'namespaces', '', '', ''],
    ['GET', '/api/v1/namespaces/other', 'get', '', 'namespaces', '', 'other', 'other'],
    ['PUT', '/api/v1/namespaces/other/finalize', 'update', '', 'namespaces', 'finalize', 'other', 'other'],
    ['GET', '/api/v1/namespaces/other/selectedby', 'get', '', 'namespaces', 'selectedby', 'other', 'other'],
    ['GET', '/api/v1/namespaces/other/pods', 'list', '', 'pods', '', '', 'other'],
    ['GET', '/api/v1/namespaces/other/pods/foo', 'get', '', 'pods', '', 'foo', 'other'],
    ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get', '', 'pods', '', 'foo', 'other'],
    ['GET', '/api/v1/namespaces/other/pods/foo?watch=true', 'get', '', 'pods', '', 'foo', 'other'],
    ['HEAD', '/api/v1/namespaces/other/pods', 'list', '', 'pods', '', '', 'other'],
    ['GET', '/api/v1/pods', 'list', '', 'pods', '', '', ''],
    ['GET', '/api/v1/pods?watch=true', 'watch', '', 'pods', '', '', ''],
    ['GET', '/api/v1/pods?watch=false', 'list', '', 'pods', '', '', ''],
    [
      'GET',
      '/api/v1/namespaces/other/pods?fieldSelector=metadata.name=foo',
      'list',
      '',
      'pods',
      '',
      'foo',
      'other',
    ],
    ['GET', '/api/v1/pods?watch&fieldSelector=metadata.name==foo', 'watch', '', 'pods', '', 'foo', ''],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name!=foo', 'list', '', 'pods', '', '', ''],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name=a/b', 'list', '', 'pods', '', '', ''],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name', 'list', '', 'pods', '', '', ''],
    ['GET', '/api/v1/watch/pods', 'watch', '', 'pods', '', '', ''],
    ['GET', '/api/v1/watch/namespaces/other/pods', 'watch', '', 'pods', '', '', 'other'],
    ['GET', '/api/v1/watch/namespaces/other/pods/foo', 'watch', '', 'pods', '', 'foo', 'other'],
    ['GET', '/api/v1/namespaces/other/pods/foo/status', 'get', '', 'pods', 'status', 'foo', 'other'],
    ['POST', '/api/v1/namespaces/other/pods/foo/binding', 'create', '', 'pods', 'binding', 'foo', 'other'],
    ['GET', '/api/v1/namespaces/other/pods/foo/proxy/a/b', 'get', '', 'pods', 'proxy', 'foo', 'other'],
    ['POST', '/api/v1/namespaces/other/pods', 'create', '', 'pods', '', '', 'other'],
    ['PATCH', '/api/v1/namespaces/other/pods/foo', 'patch', '', 'pods', '', 'foo', 'other'],
    ['DELETE', '/api/v1/namespaces/other/pods/foo', 'delete', '', 'pods', '', 'foo', 'other'],
    ['DELETE', '/api/v1/namespaces/other/pods', 'deletecollection', '', 'pods', '', '', 'other'],
    ['DELETE', '/api/v1/nodes', 'deletecollection', '', 'nodes', '', '', ''],
    ['OPTIONS', '/api/v1/pods', '', '', 'pods', '', '', ''],
    [
      'GET',
      '/apis/apps/v1/namespaces/other/deployments/d/scale',
      'get',
      'apps',
      'deployments',
      'scale',
      'd',
      'other',
    ],
    ['GET', '/apis/apps/v1/watch/deployments', 'watch', 'apps', 'deployments', '', '', ''],
    ['GET', '/api/v1/namespaces/other/history', 'get', '', 'namespaces', 'history', 'other', 'other'],
    ['GET', '/apis/a.b/v1/namespaces/other/history', 'list', 'a.b', 'history', '', '', 'other'],
    ['GET', '/api/v1/namespaces/other/pods/foo/history', 'get', '', 'pods', 'history', 'foo', 'other'],
    ['GET', `${HISTORIES}?fieldSelector=resource=pods`, 'list', '', 'pods', 'history', '', ''],
    ['GET', `${HISTORIES}?fieldSelector=resource=a.b.c`, 'list', 'b.c', 'a', 'history', '', ''],
    ['GET', `${HISTORIES}?fieldSelector=resource=a&watch=true`, 'watch', '', 'a', 'history', '', ''],
    ['GET', `${HISTORIES}?fieldSelector=metadata.name=x,resource==a`, 'list', '', 'a', 'history', 'x', ''],
    ['POST', HISTORIES, 'create', 'winnow.dev', 'histories', '', '', ''],
    ['GET', `${HISTORIES}/x`, 'get', 'winnow.dev', 'histories', '', 'x', ''],
    ['GET', '/api/v1/namespaces//pods', 'list', '', 'pods', '', '', ''],
    ['GET', '/api/v1/namespaces/a/pods/x%2Fy', 'get', '', 'pods', '', 'x/y', 'a'],
    ['GET', '/apis/no.such.group/v1/things', 'list', 'no.such.group', 'things', '', '', ''],
  ])('%s %s', (method, target, verb, apiGroup, resource, subresource, name, namespace) => {
    expect(told(method, target)).toEqual({ verb, apiGroup, resource, subresource, name, namespace });
  });

  it.each([
    ['GET', '/', 'get', '/'],
    ['GET', '/healthz', 'get', '/healthz'],
    ['GET', '/api', 'get', '/api'],
    ['GET', '/api/v1', 'get', '/api/v1'],
    ['POST', '/api/v1/', 'post', '/api/v1/'],
    ['GET', '/apis/apps/v1', 'get', '/apis/apps/v1'],
    ['DELETE', '/openapi/v3/api/v1/x/y', 'delete', '/openapi/v3/api/v1/x/y'],
    ['GET', '/no%20such', 'get', '/no such'],
  ])('The path %s %s names no object', (method, target, verb, path) => {
    expect(told(method, target)).toEqual({ verb, path });
  });

  it.each(['', '?fieldSelector=resource=a,resource=b', '?fieldSelector=metadata.name=a'])(
    'A request for histories that names no single resource has no attributes: %s',
    (query) => {
      expect(() => told('GET', `${HISTORIES}${query}`)).toThrow('name one resource');
    },
  );

  it('A path with a malformed escape has no attributes', () => {
    expect(() => told('GET', '/api/v1/%zz/x')).toThrow('malformed percent escape');
  });
});

describe('The message of a refusal', () => {
  const refusal = (method: string, target: string, reason = '') => {
    const { message, details, code, reason: why } = forbiddenAccess('x <y>', told(method, target), reason);
    expect([code, why]).toEqual([403, 'Forbidden']);
    return { message, details };
  };

  it('The message of a refusal is that of Kubernetes', () => {
    expect(refusal('GET', '/api/v1/namespaces/y/pods')).toEqual({
      message:
        'pods is forbidden: User "x &lt;y&gt;" cannot list resource "pods" in API group "" in the namespace "y"',
      details: { kind: 'pods' },
    });
    expect(refusal('PUT', '/apis/apps/v1/namespaces/y/deployments/d/scale', 'RBAC: none').message).toBe(
      'deployments.apps "d" is forbidden: User "x &lt;y&gt;" cannot update resource "deployments/scale" in API group "apps" in the namespace "y": RBAC: none',
    );
    expect(refusal('GET', '/api/v1/nodes').message).toBe(
      'nodes is forbidden: User "x &lt;y&gt;" cannot list resource "nodes" in API group "" at the cluster scope',
    );
    expect(refusal('GET', '/metrics')).toEqual({
      message: 'forbidden: User "x &lt;y&gt;" cannot get path "/metrics"',
      details: {},
    });
  });
});
