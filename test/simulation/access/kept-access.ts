import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  metadataOf,
  objectAt,
} from '../../../lib/json/index.ts';
import type { Violation } from '../checks/index.ts';
import type { AccessRecord, PolicyState, Told } from './access-record.ts';
import {
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  ENTRIES,
  NAMESPACE,
  PRINCIPAL,
  ROLE_BINDINGS,
  ROLES,
} from './policies.ts';

/**
 * Checks that each answer about a user's permissions matches one state that existed:
 * 1. It is no mixture of two states.
 * 2. The state was not over before the request, as far as any client can know.
 * 3. It is not earlier than the state of an answer that any user received before the request.
 */
export function keptAccess({ states, known, told }: AccessRecord): Violation[] {
  const floors = known.map(({ at, state }) => ({ at, state }));
  const inOrder = told.toSorted((left, right) => left.invoked - right.invoked);
  const never: string[] = [];
  const over: string[] = [];
  for (const one of inOrder) {
    const least = Math.max(0, ...floors.filter(({ at }) => at < one.invoked).map(({ state }) => state));
    const fits = (state: PolicyState) => agrees(one, mayGet(state, one.who));
    const first = states.findIndex((state, at) => at >= least && state.from <= one.returned && fits(state));
    if (first !== -1) {
      floors.push({ at: one.returned, state: first });
    } else {
      const wasSo = states.slice(0, least).some(fits);
      (wasSo ? over : never).push(`${JSON.stringify(one)}, in no state from the ${least}th on`);
    }
  }
  return [
    ...violation('somebody was decided by what was over before he asked', over),
    ...violation('somebody was decided by what never was so at one time', never),
  ];
}

function agrees(told: Told, given: ReadonlySet<string>): boolean {
  if ('mark' in told) return false;
  if ('tag' in told) return told.isAllowed === given.has(told.tag);
  return told.all.length === given.size && told.all.every((tag) => given.has(tag));
}

/** The ConfigMaps that a user may get, by a naive reading of roles, bindings and the AccessEntry. */
function mayGet({ objects }: PolicyState, who: string): ReadonlySet<string> {
  const name = who === PRINCIPAL ? usernameOf(objects) : who;
  const bindings = [...objects].filter(
    ([key]) => key.startsWith(`${ROLE_BINDINGS} `) || key.startsWith(`${CLUSTER_ROLE_BINDINGS} `),
  );
  const refs = bindings
    .filter(([, { subjects }]) => listOf(subjects).some((one) => one.kind === 'User' && one.name === name))
    .map(([, { roleRef }]) => objectAt(roleRef));
  return new Set(refs.flatMap(({ kind, name: role }) => tagsOf(objects, String(kind), String(role))));
}

function usernameOf(objects: PolicyState['objects']): string {
  const entry = objects.get(`${ENTRIES} /somebody`);
  return entry === undefined ? PRINCIPAL : String(objectAt(entry.spec).username);
}

function tagsOf(objects: PolicyState['objects'], kind: string, name: string): string[] {
  const key = kind === 'Role' ? `${ROLES} ${NAMESPACE}/${name}` : `${CLUSTER_ROLES} /${name}`;
  const role = objects.get(key);
  if (role === undefined) return [];
  if (role.aggregationRule === undefined) return namesIn(role);
  const parts = [...objects].filter(
    ([one, body]) =>
      one.startsWith(`${CLUSTER_ROLES} `) && objectAt(metadataOf(body).labels ?? {}).part === name,
  );
  return parts.flatMap(([, body]) => namesIn(body));
}

function namesIn({ rules }: JsonObject): string[] {
  return listOf(rules).flatMap(({ resourceNames }) =>
    Array.isArray(resourceNames) ? resourceNames.map(String) : [],
  );
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-access', message, evidence: [...evidence] }];
}
