import type { JsonObject } from '../../../json/index.ts';
import { sameValue } from '../same-value.ts';
import { type Condition, type DefinitionStatus, type Names, specOf, statusOf } from './definition.ts';

/** The names of resources and kinds that other definitions of the group use. */
interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns the status of a definition after a check of its names. Each name that no other definition of its group uses
 * is accepted. The definition becomes established when all names are accepted for the first time
 * (pkg/controller/status, naming_controller.go). If a name is taken, the definition gets NamesAccepted=False with the
 * reason.
 *
 * @param others the definitions of the same group
 * @param now RFC 3339
 */
export function acceptNames(
  definition: JsonObject,
  others: readonly JsonObject[],
  now: string,
): DefinitionStatus {
  const status = statusOf(definition);
  const { names } = specOf(definition);
  const { accepted, conflict } = decide(names, status.acceptedNames, takenBy(others));
  const naming: Conflict & { status: string } =
    conflict === undefined
      ? { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { status: 'False', ...conflict };
  const before = status.conditions ?? [];
  const established = before.some(({ type, status: is }) => type === 'Established' && is === 'True');
  const all = setCondition(before, { type: 'NamesAccepted', ...naming, lastTransitionTime: now });
  const establishing =
    conflict === undefined
      ? { status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
      : { status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  const conditions = established
    ? all
    : setCondition(all, { type: 'Established', ...establishing, lastTransitionTime: now });
  return { ...status, acceptedNames: accepted, conditions };
}

/** Whether another check could change anything, because not all names are accepted. */
export function awaitsNames(definition: JsonObject): boolean {
  const { names } = specOf(definition);
  const accepted = statusOf(definition).acceptedNames;
  return !sameValue({ ...names } as unknown as JsonObject, { ...accepted } as unknown as JsonObject);
}

/** Returns the conditions with one replaced. Its time is that of the last change of its status. */
export function setCondition(conditions: readonly Condition[], condition: Condition): Condition[] {
  const old = conditions.find(({ type }) => type === condition.type);
  if (old === undefined) return [...conditions, condition];
  const { lastTransitionTime } = old.status === condition.status ? old : condition;
  return conditions.map((each) => (each === old ? { ...condition, lastTransitionTime } : each));
}

function takenBy(definitions: readonly JsonObject[]): Taken {
  const accepted = definitions.map((definition) => statusOf(definition).acceptedNames);
  const some = (names: readonly (string | undefined)[]) =>
    new Set(names.filter((name) => name !== undefined));
  return {
    resources: some(
      accepted.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames]),
    ),
    kinds: some(accepted.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}

/** Returns the accepted names. If there are several conflicts, it returns the last one in upstream's order. */
function decide(
  names: Names,
  accepted: Names,
  taken: Taken,
): { accepted: Names; conflict: Conflict | undefined } {
  const conflicts: Conflict[] = [];
  const one = (name: 'plural' | 'singular' | 'kind' | 'listKind', reason: string) => {
    const wanted = names[name] ?? '';
    const used = name === 'kind' || name === 'listKind' ? taken.kinds : taken.resources;
    if (wanted === (accepted[name] ?? '') || !used.has(wanted)) return { [name]: wanted };
    conflicts.push({ reason, message: inUse([wanted]) });
    return accepted[name] === undefined ? {} : { [name]: accepted[name] };
  };
  const plural = one('plural', 'PluralConflict');
  const singular = one('singular', 'SingularConflict');
  const short = shortNamesOf(names, accepted, taken);
  if (short.conflict !== undefined) conflicts.push(short.conflict);
  const kind = one('kind', 'KindConflict');
  const listKind = one('listKind', 'ListKindConflict');
  const { categories } = names;
  const all = { ...plural, ...singular, ...short.names, ...kind, ...listKind };
  const decided = { plural: '', kind: '', ...all, ...(categories === undefined ? {} : { categories }) };
  return { accepted: decided, conflict: conflicts.at(-1) };
}

/** Accepts either all short names or none. */
function shortNamesOf(
  names: Names,
  accepted: Names,
  taken: Taken,
): { names: Partial<Names>; conflict?: Conflict } {
  const { shortNames: wanted = [] } = names;
  const { shortNames: own = [] } = accepted;
  const lost = wanted.filter((name) => !own.includes(name) && taken.resources.has(name));
  if (lost.length > 0) {
    const kept = own.length === 0 ? {} : { shortNames: own };
    return { names: kept, conflict: { reason: 'ShortNamesConflict', message: inUse(lost) } };
  }
  return { names: wanted.length === 0 ? {} : { shortNames: wanted } };
}

function inUse(names: readonly string[]): string {
  const messages = names.map((name) => `${JSON.stringify(name)} is already in use`);
  return messages.length === 1 ? messages.join('') : `[${messages.join(', ')}]`;
}
