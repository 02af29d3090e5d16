import { fromLabelSelector, quote, type Selector, SelectorError } from '../../selectors/index.ts';
import type { User } from './access.ts';
import { Bindings, type Bound } from './bindings.ts';
import type {
  AccessGrant,
  ClusterAccessGrant,
  ClusterRole,
  ClusterRoleBinding,
  PolicyKinds,
  PolicyRule,
  RoleBinding,
  RoleRef,
} from './objects.ts';
import { isAbout, type ResourceObject } from './rule-allows.ts';
import { Scope } from './scope.ts';
import { showSubject } from './subjects.ts';

/** The rules that one binding gives a user, or the reason why it gives no rules. */
export type Grant =
  | {
      readonly rules: readonly PolicyRule[];
      /**
       * Returns the binding in Kubernetes' words:
       * `ClusterRoleBinding "admins" of ClusterRole "admin" to User "jane"`.
       */
      readonly source: () => string;
    }
  | { readonly error: string };

/** The rules that an AccessGrant gives a user, and the scope of the objects. */
export type ScopedGrant = Grant & { readonly scope: Scope };

/** An AccessGrant or ClusterAccessGrant that gives rights on objects of a resource. */
export interface GrantOver {
  readonly kind: 'AccessGrant' | 'ClusterAccessGrant';
  /** `''` for a ClusterAccessGrant. */
  readonly namespace: string;
  readonly name: string;
  readonly selector: Selector;
}

/** The name of an object, and its namespace if the kind has one. */
interface Name {
  readonly namespace?: string;
  readonly name: string;
}

/** The functions that add and remove objects of each kind. */
type Holders = {
  readonly [Kind in keyof PolicyKinds]: {
    set(object: PolicyKinds[Kind]): void;
    delete(name: Name): void;
  };
};

/** The maximum number of cached unions. Computing one takes longer than a decision. */
const MOST_UNITED = 1_000;

/** The current roles and bindings. A binding to a missing role takes effect when the role is added. */
export class Policy {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #clusterRoles = new Map<string, ClusterRole>();
  readonly #bindings = new Map<string, Bindings<RoleBinding>>();
  readonly #clusterBindings = new Bindings<ClusterRoleBinding>('');
  readonly #accessGrants = new Map<string, Bindings<Selecting<AccessGrant>>>();
  readonly #clusterGrants = new Bindings<Selecting<ClusterAccessGrant>>('');
  /** A cache of unions, by the texts of the scopes that they unite. */
  readonly #united = new Map<string, Scope>();
  readonly #holders: Holders = {
    Role: {
      set: ({ metadata, rules }) => this.#roles.set(keyOf(metadata), rules ?? []),
      delete: (name) => this.#roles.delete(keyOf(name)),
    },
    ClusterRole: {
      set: (role) => this.#clusterRoles.set(role.metadata.name, role),
      delete: ({ name }) => this.#clusterRoles.delete(name),
    },
    ClusterRoleBinding: {
      set: (binding) => this.#clusterBindings.set(binding),
      delete: ({ name }) => this.#clusterBindings.delete(name),
    },
    RoleBinding: {
      set: (binding) => inNamespace(this.#bindings, binding.metadata.namespace).set(binding),
      delete: ({ namespace = '', name }) => inNamespace(this.#bindings, namespace).delete(name),
    },
    ClusterAccessGrant: {
      set: (grant) => this.#clusterGrants.set(selecting(grant)),
      delete: ({ name }) => this.#clusterGrants.delete(name),
    },
    AccessGrant: {
      set: (grant) => inNamespace(this.#accessGrants, grant.metadata.namespace).set(selecting(grant)),
      delete: ({ namespace = '', name }) => inNamespace(this.#accessGrants, namespace).delete(name),
    },
  };

  set<Kind extends keyof PolicyKinds>(kind: Kind, object: PolicyKinds[Kind]): void {
    this.#holders[kind].set(object);
  }

  delete(kind: keyof PolicyKinds, name: Name): void {
    this.#holders[kind].delete(name);
  }

  /** All cluster roles, sorted by name. */
  get clusterRoles(): readonly ClusterRole[] {
    return [...this.#clusterRoles.values()].sort((one, other) =>
      one.metadata.name < other.metadata.name ? -1 : 1,
    );
  }

  /**
   * Yields the grants of cluster bindings, then those of a namespace's bindings, each sorted by name.
   *
   * @param namespace `''` for none
   */
  *grants(user: User, namespace: string): Iterable<Grant> {
    for (const bound of this.#clusterBindings.of(user)) yield this.#grant('ClusterRoleBinding', bound, '');
    for (const bound of this.#bindings.get(namespace)?.of(user) ?? []) {
      yield this.#grant('RoleBinding', bound, namespace);
    }
  }

  /**
   * Yields the scoped grants of a user: those of the whole cluster, then those of a namespace, each sorted by name.
   *
   * @param namespace `''` for none
   */
  *scopedGrants(user: User, namespace: string): Iterable<ScopedGrant> {
    for (const bound of this.#clusterGrants.of(user)) {
      yield { ...this.#grant('ClusterAccessGrant', bound, ''), scope: bound.binding.scope };
    }
    for (const bound of this.#accessGrants.get(namespace)?.of(user) ?? []) {
      yield { ...this.#grant('AccessGrant', bound, namespace), scope: bound.binding.scope };
    }
  }

  /**
   * Yields the grants that give any user any right on an object, if their selectors match: those of the whole cluster,
   * then those of a namespace.
   *
   * @param namespace `''` for none
   */
  *grantsOver(object: ResourceObject, namespace: string): Iterable<GrantOver> {
    const gives = ({ roleRef }: ClusterRoleBinding, own: string) => {
      const rules = this.rulesOf(roleRef, own);
      return typeof rules !== 'string' && rules.some((rule) => isAbout(rule, object));
    };
    for (const binding of this.#clusterGrants.all()) {
      const [selector] = binding.scope.selectors;
      if (selector === undefined || !gives(binding, '')) continue;
      yield { kind: 'ClusterAccessGrant', namespace: '', name: binding.metadata.name, selector };
    }
    for (const binding of this.#accessGrants.get(namespace)?.all() ?? []) {
      const [selector] = binding.scope.selectors;
      if (selector === undefined || !gives(binding, namespace)) continue;
      yield { kind: 'AccessGrant', namespace, name: binding.metadata.name, selector };
    }
  }

  /** Returns the union of some scopes. */
  unite(scopes: readonly Scope[]): Scope {
    const [only] = scopes;
    if (only !== undefined && scopes.length === 1) return only;
    const key = JSON.stringify(scopes.map(String));
    const known = this.#united.get(key) ?? Scope.of(scopes.flatMap(({ selectors }) => selectors));
    if (this.#united.size >= MOST_UNITED) this.#united.clear();
    this.#united.set(key, known);
    return known;
  }

  /** Returns the rules of the role that a binding in a namespace references; an error message if there is none. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | string {
    if (kind === 'Role') return this.#roles.get(keyOf({ namespace, name })) ?? notFound('role', name);
    if (kind !== 'ClusterRole') return `unsupported role reference kind: ${quote(kind)}`;
    const role = this.#clusterRoles.get(name);
    return role === undefined ? notFound('clusterrole', name) : (role.rules ?? []);
  }

  #grant(kind: string, { binding, subject }: Bound<ClusterRoleBinding>, namespace: string): Grant {
    const { roleRef, metadata } = binding;
    const rules = this.rulesOf(roleRef, namespace);
    if (typeof rules === 'string') return { error: rules };
    const name = namespace === '' ? metadata.name : `${metadata.name}/${namespace}`;
    const source = () =>
      `${kind} ${quote(name)} of ${roleRef.kind} ${quote(roleRef.name)} to ${showSubject(subject, namespace)}`;
    return { rules, source };
  }
}

/** A grant with its parsed selector. Decisions are more frequent than changes of grants. */
type Selecting<Kind> = Kind & { readonly scope: Scope };

/** Parses a grant's selector. An invalid or absent selector selects nothing. */
function selecting<Kind extends ClusterAccessGrant>(grant: Kind): Selecting<Kind> {
  try {
    return { ...grant, scope: Scope.of([fromLabelSelector(grant.labelSelector)]) };
  } catch (error) {
    if (error instanceof SelectorError) return { ...grant, scope: Scope.of([]) };
    throw error;
  }
}

function inNamespace<Binding extends ClusterRoleBinding>(
  all: Map<string, Bindings<Binding>>,
  namespace: string,
): Bindings<Binding> {
  const bindings = all.get(namespace) ?? new Bindings<Binding>(namespace);
  all.set(namespace, bindings);
  return bindings;
}

const keyOf = ({ namespace = '', name }: Name) => `${namespace}/${name}`;

const notFound = (resource: string, name: string) =>
  `${resource}.rbac.authorization.k8s.io ${quote(name)} not found`;
