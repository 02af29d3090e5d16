/** The caller: a name such as `jane` or `system:serviceaccount:default:robot`, and its groups. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The requested access: to objects, or to a path that is not one of the API's objects. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, and verbs of single types. */
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

export interface PathAccess {
  /** `get`, `post`, … */
  readonly verb: string;
  /** `/healthz` */
  readonly path: string;
}
