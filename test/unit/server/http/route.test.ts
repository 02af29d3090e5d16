import { describe, expect, it } from '@jest/globals';
import { findResourceType } from '../../../../lib/kubernetes/resource-types/index.ts';
import { routeOf } from '../../../../lib/server/http/route.ts';
import { ApiError } from '../../../../lib/server/status/status.ts';

function routed(method: string, path: string, query = '') {
  return routeOf({ method, path, query: new URLSearchParams(query) }, findResourceType);
}

function refusal(method: string, path: string): ApiError {
  try {
    routed(method, path);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error(`${method} ${path} is routed`);
}

describe('A path of objects', () => {
  it.each([
    ['GET', '/api/v1/namespaces/a/pods', 'list', 'pods', 'a', '', ''],
    ['GET', '/api/v1/namespaces/a/pods/', 'list', 'pods', 'a', '', ''],
    ['POST', '/api/v1/namespaces/a/pods', 'create', 'pods', 'a', '', ''],
    ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection', 'pods', 'a', '', ''],
    ['GET', '/api/v1/pods', 'list', 'pods', '', '', ''],
    ['GET', '/api/v1/namespaces/a/pods/x', 'get', 'pods', 'a', 'x', ''],
    ['PUT', '/api/v1/namespaces/a/pods/x', 'update', 'pods', 'a', 'x', ''],
    ['PATCH', '/api/v1/namespaces/a/pods/x', 'patch', 'pods', 'a', 'x', ''],
    ['DELETE', '/api/v1/namespaces/a/pods/x', 'delete', 'pods', 'a', 'x', ''],
    ['GET', '/api/v1/namespaces/a/pods/x/status', 'get', 'pods', 'a', 'x', 'status'],
    ['PATCH', '/api/v1/namespaces/a/pods/x/status', 'patch', 'pods', 'a', 'x', 'status'],
    ['PUT', '/apis/apps/v1/namespaces/a/deployments/x/scale', 'update', 'deployments', 'a', 'x', 'scale'],
    ['GET', '/apis/apps/v1/namespaces/a/deployments', 'list', 'deployments', 'a', '', ''],
    ['GET', '/apis/winnow.dev/v1/subscriptions', 'list', 'subscriptions', '', '', ''],
    ['POST', '/api/v1/nodes', 'create', 'nodes', '', '', ''],
    ['GET', '/api/v1/namespaces', 'list', 'namespaces', '', '', ''],
    ['GET', '/api/v1/namespaces/a', 'get', 'namespaces', '', 'a', ''],
    ['PUT', '/api/v1/namespaces/a/status', 'update', 'namespaces', '', 'a', 'status'],
    ['GET', '/api/v1/namespaces//pods', 'list', 'pods', '', '', ''],
    ['GET', '/api/v1/watch/pods', 'watch', 'pods', '', '', ''],
    ['GET', '/api/v1/watch/namespaces/a/pods', 'watch', 'pods', 'a', '', ''],
    ['GET', '/api/v1/watch/namespaces/a/pods/x', 'watch', 'pods', 'a', 'x', ''],
    ['GET', '/api/v1/watch/namespaces/a', 'watch', 'namespaces', '', 'a', ''],
    ['GET', '/apis/apps/v1/watch/deployments', 'watch', 'deployments', '', '', ''],
    ['GET', '/api/v1/namespaces/a/pods/x%2Ey', 'get', 'pods', 'a', 'x.y', ''],
  ])('The route of %s %s is %s of %s', (method, path, verb, resource, namespace, name, subresource) => {
    const route = routed(method, path);
    expect(route).toMatchObject({ verb, namespace, name, subresource });
    expect(route?.type.resource).toBe(resource);
  });

  it.each([
    ['watch=true', 'watch'],
    ['watch=1', 'watch'],
    ['watch', 'watch'],
    ['watch=false', 'list'],
    ['watch=0', 'list'],
  ])('The query ?%s is a %s', (query, verb) => {
    expect(routed('GET', '/api/v1/pods', query)?.verb).toBe(verb);
  });

  it('The route ignores watch if the path names one object', () => {
    expect(routed('GET', '/api/v1/namespaces/a/pods/x', 'watch=true')?.verb).toBe('get');
  });
});

describe('A path that is not about objects', () => {
  it.each(['/', '', '/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/version', '/healthz'])(
    'The path %s has no route',
    (path) => {
      expect(routed('GET', path)).toBeUndefined();
    },
  );
});

describe('A refused request', () => {
  it.each([
    ['GET', '/api/v1/widgets', 404],
    ['GET', '/api/v2/pods', 404],
    ['GET', '/apis/nope/v1/widgets', 404],
    ['GET', '/apis/apps/v1/pods', 404],
    ['GET', '/api/v1/pods/x', 404],
    ['GET', '/api/v1/namespaces/a/nodes', 404],
    ['GET', '/api/v1/namespaces/a/pods/x/logs', 404],
    ['PUT', '/api/v1/namespaces/a/pods/x/log', 405],
    ['GET', '/api/v1/namespaces/a/pods/x/log/y', 404],
    ['GET', '/api/v1/namespaces/a/pods/x/eviction', 405],
    ['PATCH', '/api/v1/namespaces/a/pods/x/binding', 405],
    ['GET', '/api/v1/namespaces/a/bindings', 405],
    ['GET', '/api/v1/namespaces/a/bindings/x', 404],
    ['PUT', '/apis/authentication.k8s.io/v1/selfsubjectreviews/x', 404],
    ['GET', '/api/v1/namespaces/a/configmaps/x/status', 404],
    ['GET', '/api/v1/namespaces/a/finalize', 405],
    ['GET', '/api/v1/namespaces/a/pods/x/status/y', 404],
    ['POST', '/api/v1/watch/pods', 405],
    ['GET', '/api/v1/watch', 404],
    ['GET', '/apis/authentication.k8s.io/v1/watch/selfsubjectreviews', 405],
    ['GET', '/api/v1/namespaces/a/pods/..', 400],
    ['GET', '/api/v1/namespaces/a/pods/x%2Fy', 404],
    ['POST', '/api/v1/pods', 405],
    ['DELETE', '/api/v1/pods', 405],
    ['DELETE', '/api/v1/namespaces', 405],
    ['PUT', '/api/v1/namespaces/a/pods', 405],
    ['POST', '/api/v1/namespaces/a/pods/x', 405],
    ['DELETE', '/api/v1/namespaces/a/pods/x/status', 405],
    ['OPTIONS', '/api/v1/namespaces/a/pods', 405],
    ['GET', '/api/v1/namespaces/a/pods/%zz', 400],
    ['GET', `/api/v1/namespaces/a/pods/${'x'.repeat(281)}`, 404],
    ['GET', '/api/v1/namespaces/a/pods/x%2Fy', 404],
  ])('The request %s %s is answered with %d', (method, path, code) => {
    expect(refusal(method, path).code).toBe(code);
  });

  it('The message of a refusal names the path', () => {
    expect(refusal('GET', '/api/v1/widgets').message).toBe(
      'the server could not find the requested resource',
    );
    expect(refusal('POST', '/api/v1/pods').reason).toBe('MethodNotAllowed');
  });
});
