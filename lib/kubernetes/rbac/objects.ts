/** The fields of rbac.authorization.k8s.io/v1 that affect decisions. An absent list is empty. */

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  /** An empty list means all objects. */
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Role {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly rules?: readonly PolicyRule[] | null;
}

export interface ClusterRole {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly rules?: readonly PolicyRule[] | null;
  /** Label selectors in their JSON form. They select the roles whose rules this role has. */
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] };
}

export interface Subject {
  /** `User`, `Group` or `ServiceAccount` */
  readonly kind: string;
  readonly name: string;
  /** The namespace of a service account; if absent, the binding's namespace. */
  readonly namespace?: string;
}

export interface RoleRef {
  /** `Role` or `ClusterRole` */
  readonly kind: string;
  readonly name: string;
}

export interface ClusterRoleBinding {
  readonly metadata: { readonly name: string };
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[] | null;
}

export interface RoleBinding extends ClusterRoleBinding {
  readonly metadata: { readonly name: string; readonly namespace: string };
}

/** A binding for the objects of the whole cluster whose labels match. */
export interface ClusterAccessGrant extends ClusterRoleBinding {
  /** The selector in its JSON form. */
  readonly labelSelector?: unknown;
}

/** A binding for the objects of its namespace whose labels match. */
export interface AccessGrant extends RoleBinding {
  readonly labelSelector?: unknown;
}

/** The objects of a policy, by kind. */
export interface PolicyKinds {
  readonly Role: Role;
  readonly ClusterRole: ClusterRole;
  readonly RoleBinding: RoleBinding;
  readonly ClusterRoleBinding: ClusterRoleBinding;
  readonly AccessGrant: AccessGrant;
  readonly ClusterAccessGrant: ClusterAccessGrant;
}
