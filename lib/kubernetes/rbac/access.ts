/** The caller: a name such as `jane` or `system:serviceaccount:default:robot`, and its groups. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What somebody wants to do: to objects, or with a path that is none of the API's objects. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, and those of single types. */
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

export interface PathAccess {
  /** `get`, `post`, … */
  readonly verb: string;
  /** `/healthz` */
  readonly path: string;
}
