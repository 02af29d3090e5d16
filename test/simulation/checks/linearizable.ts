import type { Listing, Operation } from '../history.ts';
import { describeSnapshot } from './describe.ts';
import { writtenVersion } from './real-time.ts';
import { ABSENT, finalStep, keyOf, listStep, type Register, readStep, writeStep } from './register.ts';
import type { Run } from './run.ts';
import type { Violation } from './violation.ts';
import { findContradiction, MOST_STATES, type Problem, type Stuck } from './wing-gong-lowe.ts';

/**
 * Guarantee "linearizable": each request on one object, and each recent LIST of it, appears to happen at one moment
 * between its start and its end. These moments are in the order of the resourceVersions.
 */
export function checkLinearizable(run: Run): Violation[] {
  const operations = Map.groupBy(run.history.operations, ({ object }) => object);
  const lists = run.history.listings.filter(({ at }) => at === undefined);
  return [...operations].flatMap(([object, own]) => {
    const stuck = findContradiction(problemOf(run, { object, own, lists }));
    return stuck === undefined ? [] : [violation(object, stuck)];
  });
}

interface Requests {
  readonly object: string;
  readonly own: readonly Operation[];
  readonly lists: readonly Listing[];
}

function problemOf({ history, truth }: Run, { object, own, lists }: Requests): Problem<Register> {
  const writes = own
    .filter(({ kind, outcome }) => kind !== 'get' && outcome !== 'refused')
    .map((operation) => {
      const known = operation.wrote && truth.states.get(operation.wrote.token);
      const rv = writtenVersion(operation, truth);
      const isCertain = operation.outcome === 'ok' || known !== undefined;
      return { isCertain, step: writeStep(operation, { snapshot: known?.snapshot, seen: known?.seen, rv }) };
    });
  return {
    initial: ABSENT,
    steps: [
      ...writes.filter(({ isCertain }) => isCertain).map(({ step }) => step),
      ...own.flatMap((operation) => readStep(operation) ?? []),
      ...lists.map((list) => listStep(list, object)),
      finalStep(history.final.find((row) => row.object === object)),
    ],
    maybe: writes.filter(({ isCertain }) => !isCertain).map(({ step }) => step),
    key: keyOf,
  };
}

function violation(object: string, { state, next, exhausted }: Stuck<Register>): Violation {
  const { present } = state;
  const known =
    present && describeSnapshot({ ...present, uid: present.uid ?? '', rv: present.rv ?? Number.NaN });
  return {
    check: 'linearizable',
    message: exhausted
      ? `no order of the requests on ${object} was found in ${MOST_STATES} steps`
      : `the requests on ${object} have no order that explains their answers`,
    evidence: [
      `the longest order ends at: ${known ?? 'nothing there'}`,
      ...next.map((step) => step.describe()),
    ],
  };
}
