import { type JsonObject, metadataOf, objectAt, objectsIn } from '../../../lib/json/index.ts';
import type { AccessRecord, PolicyState, Told } from '../access/access-record.ts';
import type { Violation } from '../checks/index.ts';
import { BINDINGS, MARK, MUTATING_BINDINGS, MUTATING_POLICIES, NAMES, POLICIES, TAGS } from './rulings.ts';

/**
 * Checks that each write was decided by one state of all validating policies and bindings, and changed by one of the
 * mutating ones:
 * 1. It is no mixture of two states.
 * 2. The state was not over before the request, as far as any client can know.
 * 3. It is not earlier than the state that decided a write which ended before.
 */
export function keptRules({ states, known, told }: AccessRecord): Violation[] {
  const floors = known.map(({ at, state }) => ({ at, state }));
  const wrong: string[] = [];
  for (const one of told.toSorted((left, right) => left.invoked - right.invoked)) {
    const least = Math.max(0, ...floors.filter(({ at }) => at < one.invoked).map(({ state }) => state));
    const first = states.findIndex(
      (state, at) => at >= least && state.from <= one.returned && agrees(one, state),
    );
    if (first === -1) {
      wrong.push(`${JSON.stringify(one)}, in no state from the ${least}th on`);
    } else {
      floors.push({ at: one.returned, state: first });
    }
  }
  if (wrong.length === 0) return [];
  const message = 'a write was decided by policies that were over, or that never were so at one time';
  return [{ check: 'kept-rules', message, evidence: wrong }];
}

function agrees(told: Told, state: PolicyState): boolean {
  if ('mark' in told) return told.mark === markIn(state);
  return 'tag' in told && told.isAllowed === admitted(state).includes(told.tag);
}

/** The mark that the mutating policy sets; empty if it does not count. */
function markIn({ objects }: PolicyState): string {
  const policy = objects.get(`${MUTATING_POLICIES} /${MARK}`);
  if (policy === undefined || !objects.has(`${MUTATING_BINDINGS} /${MARK}`)) return '';
  return String(objectAt(metadataOf(policy).annotations).token);
}

/** The tags that all policies with a binding admit, by a naive reading. */
function admitted({ objects }: PolicyState): readonly string[] {
  return NAMES.reduce<readonly string[]>((tags, name) => {
    const policy = objects.get(`${POLICIES} /${name}`);
    const isBound = objects.has(`${BINDINGS} /${name}`);
    return policy === undefined || !isBound
      ? tags
      : tags.filter((tag) => textOf(policy).includes(`'${tag}'`));
  }, TAGS);
}

function textOf({ spec }: JsonObject): string {
  const [validation = {}] = objectsIn(objectAt(spec).validations);
  return String(validation.expression);
}
