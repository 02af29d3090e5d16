/** What a request wants to do, as Kubernetes' RequestInfo tells it: to objects, or with a path that is none of theirs. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  /** `get`, `list`, `watch`, `create`, … */
  readonly verb: string;
  /** `''` is the core group. */
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  /** `''` where it is all namespaces, or the type has none. */
  readonly namespace: string;
  /** `''` where the request names no object. */
  readonly name: string;
}

interface PathAccess {
  /** `get`, `post`, … */
  readonly verb: string;
  readonly path: string;
}
