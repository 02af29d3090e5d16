import type { HttpClient } from './http-client.ts';

/**
 * A `fetch` that sends requests as a user with a new role. The role may read and change definitions, and may read no
 * objects of the kinds.
 */
export async function asDefiner(http: HttpClient, user: string): Promise<typeof fetch> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const name = `definer-${user}`;
  const definitions = { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'] };
  await http.post(`/apis/${apiGroup}/v1/clusterroles`, {
    metadata: { name },
    rules: [{ ...definitions, verbs: ['get', 'create', 'patch'] }],
  });
  await http.post(`/apis/${apiGroup}/v1/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  });
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('impersonate-user', user);
    return fetch(input, { ...init, headers });
  };
}
