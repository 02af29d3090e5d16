/**
 * The access that a request needs, as in Kubernetes' RequestInfo: to objects, or to a path that belongs to no object.
 */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  /** `get`, `list`, `watch`, `create`, … */
  readonly verb: string;
  /** `''` is the core group. */
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  /** `''` for all namespaces, or for a type without namespaces. */
  readonly namespace: string;
  /** `''` if the request names no object. */
  readonly name: string;
}

interface PathAccess {
  /** `get`, `post`, … */
  readonly verb: string;
  readonly path: string;
}
