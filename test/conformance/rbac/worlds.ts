import type {
  Access,
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
  User,
} from '../../../lib/kubernetes/rbac/index.ts';
import { Chance } from '../placement/chance.ts';
import * as words from './vocabulary.ts';

/** Roles and bindings, with requests that are checked against them. */
export interface World {
  /** Each list is in the order of its names, as Go's authorizer reads it. */
  readonly policy: WorldPolicy;
  readonly asked: readonly Question[];
  readonly granted: readonly Grant[];
}

export interface WorldPolicy {
  readonly roles: readonly Role[];
  readonly clusterRoles: readonly ClusterRole[];
  readonly roleBindings: readonly RoleBinding[];
  readonly clusterRoleBindings: readonly ClusterRoleBinding[];
}

export interface Question {
  readonly user: User;
  readonly access: Access;
}

/** An attempt of a user to give rules to others, in a namespace, or everywhere with `''`. */
export interface Grant {
  readonly user: User;
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

const ASKED = 20;
const GRANTED = 4;
const RULES = 3;
const BINDINGS = 5;

/** The worlds of a seed, always the same and in the same order. */
export class Worlds {
  readonly #chance: Chance;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
  }

  next(): World {
    const chance = this.#chance;
    return {
      policy: this.#policy(),
      asked: chance.times(ASKED, () => ({ user: this.#user(), access: this.#access() })),
      granted: chance.times(GRANTED, () => ({
        user: this.#user(),
        namespace: this.#namespace(),
        rules: this.#rules(),
      })),
    };
  }

  #policy(): WorldPolicy {
    const chance = this.#chance;
    const some = () => words.ROLES.filter(() => chance.chance(0.8));
    return {
      roles: words.NAMESPACES.flatMap((namespace) =>
        some().map((name) => ({ metadata: { name, namespace }, rules: this.#rules() })),
      ),
      clusterRoles: some().map((name) => ({ metadata: { name }, rules: this.#rules() })),
      roleBindings: words.NAMESPACES.flatMap((namespace) =>
        this.#bindings().map((binding) => ({ ...binding, metadata: { ...binding.metadata, namespace } })),
      ),
      clusterRoleBindings: this.#bindings(),
    };
  }

  #bindings(): ClusterRoleBinding[] {
    const chance = this.#chance;
    return chance.times(chance.below(BINDINGS + 1), (index) => ({
      metadata: { name: `binding-${index}` },
      roleRef: this.#roleRef(),
      subjects: chance.upTo(3, () => this.#subject()),
    }));
  }

  #roleRef(): RoleRef {
    const chance = this.#chance;
    const kind = chance.chance(0.02) ? 'Unknown' : chance.pick(['Role', 'ClusterRole', 'ClusterRole']);
    return { kind, name: chance.chance(0.05) ? words.MISSING_ROLE : chance.pick(words.ROLES) };
  }

  #subject(): Subject {
    const chance = this.#chance;
    switch (chance.pick(['User', 'Group', 'ServiceAccount', 'Robot'])) {
      case 'User':
        return { kind: 'User', name: chance.pick(words.USERS) };
      case 'Group':
        return { kind: 'Group', name: chance.pick(words.GROUPS.slice(0, -1)) };
      case 'ServiceAccount': {
        const namespace = chance.maybe(0.6, () => chance.pick(words.NAMESPACES));
        return { kind: 'ServiceAccount', name: chance.pick(words.ACCOUNTS), ...(namespace && { namespace }) };
      }
      default:
        return { kind: 'Robot', name: chance.pick(words.USERS) };
    }
  }

  #rules(): PolicyRule[] {
    return this.#chance.upTo(RULES, () =>
      this.#chance.chance(0.2) ? this.#pathRule() : this.#resourceRule(),
    );
  }

  #pathRule(): PolicyRule {
    const chance = this.#chance;
    return {
      verbs: this.#some(words.VERBS),
      nonResourceURLs: chance.sample(words.PATH_PATTERNS, 1 + chance.below(2)),
    };
  }

  #resourceRule(): PolicyRule {
    const chance = this.#chance;
    const resources = [
      ...words.RESOURCES,
      ...words.RESOURCES.map((resource) => `${resource}/${chance.pick(words.SUBRESOURCES)}`),
      ...words.SUBRESOURCES.map((subresource) => `*/${subresource}`),
    ];
    const resourceNames = chance.maybe(0.25, () => this.#some(words.NAMES, 0));
    return {
      verbs: this.#some(words.VERBS),
      apiGroups: this.#some(words.API_GROUPS),
      resources: this.#some(resources),
      ...(resourceNames && { resourceNames }),
    };
  }

  /** Some of the words, or sometimes a star for all. */
  #some(all: readonly string[], stars = 0.15): string[] {
    const chance = this.#chance;
    return chance.chance(stars) ? ['*'] : chance.sample(all, 1 + chance.below(Math.min(4, all.length)));
  }

  #user(): User {
    const chance = this.#chance;
    // A privileged user may do everything, so few users are.
    const most = words.GROUPS.length - (chance.chance(0.05) ? 0 : 1);
    const groups = chance.sample(words.GROUPS.slice(0, most), chance.below(most + 1));
    return { name: chance.pick(words.USERS), groups };
  }

  #access(): Access {
    const chance = this.#chance;
    const verb = chance.pick(words.VERBS);
    if (chance.chance(0.2)) return { verb, path: chance.pick(words.PATHS) };
    return {
      verb,
      apiGroup: chance.pick(words.API_GROUPS),
      resource: chance.pick(words.RESOURCES),
      subresource: chance.maybe(0.35, () => chance.pick(words.SUBRESOURCES)) ?? '',
      namespace: this.#namespace(),
      name: chance.maybe(0.5, () => chance.pick(words.NAMES)) ?? '',
    };
  }

  #namespace(): string {
    return this.#chance.maybe(0.7, () => this.#chance.pick(words.NAMESPACES)) ?? '';
  }
}
