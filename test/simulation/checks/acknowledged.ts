import type { Snapshot } from '../history.ts';
import { describeOperation, describeSnapshot } from './describe.ts';
import type { Run } from './run.ts';
import type { Change } from './truth.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "acknowledged": no acknowledged write is ever lost. When all is quiet the table holds every object in the
 * state of its last change. It holds nothing else: no older state, and no deleted object.
 */
export function checkAcknowledged({ history, truth }: Run): Violation[] {
  const left = Map.groupBy(history.final, ({ object }) => object);
  const objects = new Set([...truth.chains.keys(), ...left.keys()]);
  return [...objects].flatMap((object) => {
    const rows = left.get(object) ?? [];
    if (rows.length > 1) return [violation(`${object} is in the table twice`, rows.map(describeSnapshot))];
    return compare(object, truth.chains.get(object)?.at(-1), rows[0]);
  });
}

function compare(object: string, last: Change | undefined, row: Snapshot | undefined): Violation[] {
  const state = last?.after;
  if (last === undefined || (state?.rv === row?.rv && state?.token === row?.token)) return [];
  // The last change may be one that no reader can tell from a deletion: the object may exist in a state that no reader
  // saw.
  const evidence = [
    `the last change @${last.rv}: ${state === undefined ? 'left' : describeSnapshot(state)}`,
    ...(last.by === undefined ? [] : [describeOperation(last.by)]),
    `the table: ${row === undefined ? 'nothing' : describeSnapshot(row)}`,
  ];
  if (state === undefined) return [violation(`${object} is back although it was deleted`, evidence)];
  return [violation(`the last change of ${object} is lost`, evidence)];
}

function violation(message: string, evidence: readonly string[]): Violation {
  return { check: 'acknowledged', message, evidence };
}
