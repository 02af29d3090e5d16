import type { Violation } from '../checks/index.ts';
import type { KindRecord } from '../kinds/kind-record.ts';
import type { Change, KindReading, PastRecord, Reading } from './past-record.ts';

/**
 * Checks the promises about history. Each reading of a client:
 * 1. It shows only changes that were made, with the states that their transactions wrote, and of that object.
 * 2. It skips none between two that it shows, and none newer that was acknowledged before.
 * 3. It shows none that had expired, and gives a true reason for its end.
 * 4. It shows none of a definition that was followed by another.
 *
 * @param skew by how much clocks may differ, in ms
 */
export function keptPasts(record: PastRecord, { eras }: KindRecord, skew: number): Violation[] {
  const changes = [...record.changes].sort((left, right) => left.rv - right.rv);
  const wrong = record.readings.flatMap((reading) =>
    wrongIn(reading, { changes, record, skew }).map((what) => `${spelled(reading)}: ${what}`),
  );
  const foreign = record.kindReadings.flatMap(({ plural, invoked, eras: seen }: KindReading) => {
    const own = [...eras.values()].filter((era) => era.plural === plural && era.from <= invoked);
    const former = new Set(own.slice(0, -1).map(({ era }) => era));
    return seen.filter((era) => former.has(era)).map((era) => `${plural} at ${invoked} ms: ${era}`);
  });
  return [
    ...violation('history is not what happened', wrong),
    ...violation('history shows a former kind', foreign),
  ];
}

interface Truth {
  readonly changes: readonly Change[];
  readonly record: PastRecord;
  readonly skew: number;
}

function wrongIn(reading: Reading, { changes, record, skew }: Truth): string[] {
  const { object, all, isForged, invoked, returned, end } = reading;
  const own = changes.filter((change) => object === undefined || change.object === object);
  const shown = all ? own : own.filter(({ isMain }) => isMain);
  const wrong: string[] = [];
  for (const change of reading.changes) {
    const truth = own.find(({ rv }) => rv === change.rv);
    if (truth?.states !== change.states || truth.type !== change.type) wrong.push(`${change.rv} was not so`);
    if (truth !== undefined && truth.expires + skew < invoked) wrong.push(`${change.rv} had expired`);
  }
  const last = reading.changes.at(-1);
  const [from, to] = [last?.rv ?? Infinity, reading.changes[0]?.rv ?? -Infinity];
  const between = shown.filter(({ rv }) => rv >= from && rv <= to).map(({ rv }) => rv);
  const told = reading.changes.map(({ rv }) => rv).reverse();
  if (String(between) !== String(told)) wrong.push(`${told} are not ${between}`);
  if (isForged) return wrong;
  const isShown = new Set(shown.map(({ rv }) => rv));
  const newest = record.acknowledged
    .filter((one) => one.returned < invoked && (object === undefined || one.object === object))
    .map(({ rv }) => rv)
    .filter((rv) => isShown.has(rv) && rv > to);
  const lost = shown.filter(({ rv, expires }) => newest.includes(rv) && expires - skew > returned);
  if (lost.length > 0) wrong.push(`it begins at ${to} without ${lost.map(({ rv }) => rv)}`);
  // The change before the last one that it shows; if it shows none, `newest` says what it had to show.
  const before = last === undefined ? undefined : shown.filter(({ rv }) => rv < from).at(-1);
  if (end === 'Missing' || end === 'Redefined' || end === 'none') wrong.push(`it ends as ${end}`);
  if (end === 'Expired' && before !== undefined && before.expires - skew > returned) {
    wrong.push(`${before.rv} had not expired`);
  }
  if (end === 'Reached' && before !== undefined) wrong.push(`there was ${before.rv} before`);
  if (end === 'Created') {
    const lives = reading.changes.filter(({ type }) => type === 'ADDED').length;
    const isOneLife = reading.changes[0]?.type !== 'DELETED' && lives === 1;
    if (last?.type !== 'ADDED') wrong.push('it ends as Created before the create');
    if (isOneLife && before !== undefined && before.expires - skew > returned) {
      wrong.push(`it leaves out the life that ended at ${before.rv}`);
    }
  }
  return wrong;
}

function spelled({ object = 'all', all, isForged, invoked, changes, end }: Reading): string {
  const kind = `${all ? 'all' : 'main'}${isForged ? ', forged' : ''}`;
  return `${object} (${kind}) at ${invoked} ms: ${changes.map(({ rv }) => rv)} ${end}`;
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-pasts', message, evidence: [...evidence] }];
}
