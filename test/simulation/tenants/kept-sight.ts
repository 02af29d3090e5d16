import type { Violation } from '../checks/index.ts';
import { selectorOf } from '../checks/naive-selector.ts';
import type { Labelled, TenantRecord } from './tenant-record.ts';

/**
 * Checks what tenants see and write:
 * 1. A tenant sees no object outside every scope that was in force during the decision.
 * 2. A tenant writes no such object: neither the state before nor the state after the write lies outside.
 * 3. A watch whose scope has ended does not end as if its client could resume.
 */
export function keptSight(record: TenantRecord): Violation[] {
  const { shown, written, tried, deleted } = record;
  const isWithin = (who: string, [since, at]: readonly [number, number], objects: readonly Labelled[]) =>
    record.inForce(who, since, at).some((texts) => objects.every((object) => isIn(texts, object)));
  const seen = shown
    .filter(({ who, since, at, object }) => !isWithin(who, [since, at], [object]))
    .map((one) => JSON.stringify(one));
  const wrote = written.flatMap((one) => {
    const { at, token, before, after } = one;
    const by = token === undefined ? deleted.get(before?.uid ?? '') : tried.get(token);
    if (by === undefined) return [];
    const objects = [before, after].filter((object) => object !== undefined);
    return isWithin(by.who, [by.invoked, at], objects) ? [] : [JSON.stringify({ ...one, by })];
  });
  const goneOn = record.ends
    .filter(({ who, since, at, anyOf }) =>
      record.inForce(who, since, at).every((texts) => texts.length > 0 && !selectTheSame(texts, anyOf)),
    )
    .map((one) => JSON.stringify(one));
  return [
    ...violation("a tenant's watch ended as if his grants were what they were", goneOn),
    ...violation('a tenant was shown what no grant of his selected', seen),
    ...violation('a tenant wrote what no grant of his selected', wrote),
  ];
}

/**
 * Whether two grants select the same of all possible objects, by the labels that grants use. One grant may be part of
 * another.
 */
export function selectTheSame(some: readonly string[], others: readonly string[]): boolean {
  return EVERY_OBJECT.every((object) => isIn(some, object) === isIn(others, object));
}

const EVERY_OBJECT: readonly Labelled[] = ['', 'x', 'y', 'z'].flatMap((app) =>
  ['', 'a', 'b'].flatMap((tier) =>
    [false, true].map((isCanary) => ({
      object: '',
      uid: '',
      labels: { ...(app !== '' && { app }), ...(tier !== '' && { tier }), ...(isCanary && { canary: '' }) },
    })),
  ),
);

/** Whether one of the selectors, as texts, matches. */
export function isIn(texts: readonly string[], { object, labels, uid }: Labelled): boolean {
  const snapshot = { object, labels, uid, rv: 0, phase: '', token: '' };
  return texts.some((labelSelector) => selectorOf({ labelSelector })(snapshot));
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-sight', message, evidence: [...evidence] }];
}
