import type { Violation } from '../checks/index.ts';
import { selectorOf } from '../checks/naive-selector.ts';
import type { Labelled, TenantRecord } from './tenant-record.ts';

/**
 * A tenant is shown nothing, and writes nothing, that lay outside every scope of his that was in force while it was
 * decided: nor does what he writes hit what lay outside.
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
  return [
    ...violation('a tenant was shown what no grant of his selected', seen),
    ...violation('a tenant wrote what no grant of his selected', wrote),
  ];
}

/** Whether one of the selectors, in words, matches. */
export function isIn(texts: readonly string[], { object, labels, uid }: Labelled): boolean {
  const snapshot = { object, labels, uid, rv: 0, phase: '', token: '' };
  return texts.some((labelSelector) => selectorOf({ labelSelector })(snapshot));
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-sight', message, evidence: [...evidence] }];
}
