/** A subject of a binding or a grant. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** An object that gives rights to subjects, or a username to a principal. */
export interface Granting {
  readonly subjects?: readonly Subject[] | null;
  /** Of an AccessEntry. */
  readonly spec?: {
    readonly principal?: string;
    readonly username?: string;
    readonly groups?: readonly string[];
  };
}

/** The users and groups that bindings, grants and entries name. */
export interface Known {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** Collects the users and groups, in the order of their names. Service accounts appear under their usernames. */
export function knownOf(objects: readonly Granting[]): Known {
  const users = new Set<string>();
  const groups = new Set<string>();
  for (const { subjects, spec } of objects) {
    for (const { kind, name, namespace = '' } of subjects ?? []) {
      if (kind === 'User') users.add(name);
      if (kind === 'Group') groups.add(name);
      if (kind === 'ServiceAccount') users.add(`system:serviceaccount:${namespace}:${name}`);
    }
    const user = spec?.username ?? spec?.principal;
    if (user !== undefined) users.add(user);
    for (const group of spec?.groups ?? []) groups.add(group);
  }
  return { users: [...users].sort(byPlainness), groups: [...groups].sort(byPlainness) };
}

/** Names of people come before those of the system. */
function byPlainness(one: string, other: string): number {
  const rank = (name: string) => (name.startsWith('system:') ? 1 : 0);
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}

/** Reads groups that a user typed, with commas or spaces between them. */
export function readGroups(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((group) => group !== ''))];
}

export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'delete'] as const;

/** `some`: only objects that a grant selects. */
export type May = 'yes' | 'some' | 'no';

/** Reads the answer of a SubjectAccessReview. Its reason tells of rights that a grant gives over some objects only. */
export function mayOf({
  allowed,
  reason = '',
}: {
  readonly allowed: boolean;
  readonly reason?: string;
}): May {
  if (allowed) return 'yes';
  return /of objects with labels/.test(reason) ? 'some' : 'no';
}
