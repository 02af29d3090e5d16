import type { Operation } from '../history.ts';
import { describeOperation } from './describe.ts';
import type { Run } from './run.ts';
import { versionOf } from './spells.ts';
import { deletionVersion, type Truth } from './truth.ts';
import type { Violation } from './violation.ts';

/** A request or an event, and the resourceVersion of its collection that it shows. */
interface Moment {
  readonly what: () => string;
  /** Virtual ms; undefined: it bounds only later requests. */
  readonly invoked: number | undefined;
  readonly returned: number;
  readonly rv: number;
  /** The resourceVersion of a write must be above all earlier ones; a read may share one. */
  readonly writes: boolean;
}

/**
 * Guarantee "real-time": a request that begins after another ended has the higher resourceVersion. So a LIST shows all
 * writes that were acknowledged before it began, and resourceVersions never run against the clock.
 */
export function checkRealTime(run: Run): Violation[] {
  const moments = [...writesOf(run), ...listsOf(run), ...eventsOf(run)];
  const ended = moments.toSorted((left, right) => left.returned - right.returned);
  const began = moments
    .filter((moment): moment is Moment & { invoked: number } => moment.invoked !== undefined)
    .sort((left, right) => left.invoked - right.invoked);
  const violations: Violation[] = [];
  let newest: Moment | undefined;
  let next = 0;
  for (const moment of began) {
    for (let end = ended[next]; end !== undefined && end.returned < moment.invoked; end = ended[next]) {
      if (newest === undefined || end.rv > newest.rv) newest = end;
      next += 1;
    }
    if (newest !== undefined && (moment.writes ? moment.rv <= newest.rv : moment.rv < newest.rv)) {
      const message = `resourceVersion ${moment.rv} came after ${newest.rv} had been seen`;
      violations.push({ check: 'real-time', message, evidence: [newest.what(), moment.what()] });
    }
  }
  return violations;
}

function writesOf({ history, truth }: Run): Moment[] {
  return history.operations.flatMap((operation) => {
    const rv = writtenVersion(operation, truth);
    if (rv === undefined) return [];
    const { invoked, returned, outcome } = operation;
    const ended = outcome === 'ok' ? returned : undefined;
    const what = () => describeOperation(operation);
    return [{ what, invoked, returned: ended ?? Number.POSITIVE_INFINITY, rv, writes: true }];
  });
}

/** The known resourceVersion of a write; undefined if unknown. */
export function writtenVersion(operation: Operation, truth: Truth): number | undefined {
  const { wrote } = operation;
  return wrote === undefined
    ? deletionVersion(operation, truth.states)
    : truth.states.get(wrote.token)?.snapshot.rv;
}

/** A list at a resourceVersion that its client requested need not be recent. */
function listsOf({ history }: Run): Moment[] {
  return history.listings.map(({ client, invoked, returned, rv, at }) => ({
    what: () => `${client}: list at ${invoked}..${returned}: @${rv}`,
    invoked: at === undefined ? invoked : undefined,
    returned,
    rv,
    writes: false,
  }));
}

function eventsOf({ history }: Run): Moment[] {
  const watched = history.watches.flatMap(({ client, spells }) =>
    spells.flatMap(({ events }) => events.map((event) => ({ reader: client, event }))),
  );
  const queued = history.subscriptions.flatMap(({ name, messages }) =>
    messages.map(({ event }) => ({ reader: name, event })),
  );
  return [...watched, ...queued].flatMap(({ reader, event }) => {
    const rv = versionOf(event);
    if (rv === undefined) return [];
    const what = () => `${reader}: ${event.type} @${rv} at ${event.at}`;
    return [{ what, invoked: undefined, returned: event.at, rv, writes: false }];
  });
}
