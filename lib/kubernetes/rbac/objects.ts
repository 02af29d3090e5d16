/** Objects of rbac.authorization.k8s.io/v1, as far as they decide. What is absent is empty. */

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  /** Empty: all. */
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
  /** Label selectors in their JSON form: whose rules are this role's own. */
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] };
}

export interface Subject {
  /** `User`, `Group` or `ServiceAccount` */
  readonly kind: string;
  readonly name: string;
  /** Of a service account; absent, the binding's own. */
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

/** A binding that holds for the objects of the whole cluster whose labels match. */
export interface ClusterAccessGrant extends ClusterRoleBinding {
  /** In its JSON form. */
  readonly labelSelector?: unknown;
}

/** The same in its namespace. */
export interface AccessGrant extends RoleBinding {
  readonly labelSelector?: unknown;
}

/** What a policy is made of, by kind. */
export interface PolicyKinds {
  readonly Role: Role;
  readonly ClusterRole: ClusterRole;
  readonly RoleBinding: RoleBinding;
  readonly ClusterRoleBinding: ClusterRoleBinding;
  readonly AccessGrant: AccessGrant;
  readonly ClusterAccessGrant: ClusterAccessGrant;
}
