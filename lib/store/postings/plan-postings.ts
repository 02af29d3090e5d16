import { createHash } from 'node:crypto';
import { anchorChoices } from '../../selectors/index.ts';
import type { IndexedSelector } from '../indexed-selector.ts';
import type { AnchorPlace } from '../keys.ts';
import type { CarriedSelector } from './carried-selector.ts';

/** A selector whose rows are not chosen yet. */
export interface NewAnchor extends Pick<IndexedSelector, 'path' | 'digest'> {
  /** Undefined: its rows say to read the carrier. */
  readonly carried: CarriedSelector | undefined;
  /** Each is complete: the rows are those of one of them. All have the same number. */
  readonly choices: readonly (readonly AnchorPlace[])[];
}

/** What a write does to the rows by which its object's selectors are found. */
export interface AnchorPlan {
  readonly kept: readonly IndexedSelector[];
  readonly added: readonly NewAnchor[];
  /** Those whose rows go, or move. */
  readonly former: readonly IndexedSelector[];
  /** Rows that the write puts, deletes or marks, at most. */
  readonly items: number;
  /** Rows that are there after it. */
  readonly rows: number;
  /** What the object's row takes for them, at most. */
  readonly bytes: number;
}

/** Rows that one selector may have, and an object. Beyond, fewer rows say less: to read the carrier. */
const MOST_PLACES = 16;
const MOST_ROWS = 24;
/** The path of what stands for all selectors of an object. No field has such a name. */
const ALL = '*';

/**
 * @param had by which rows the object's selectors are found
 * @param wanted all that it is to carry
 */
export function planAnchors(had: readonly IndexedSelector[], wanted: readonly CarriedSelector[]): AnchorPlan {
  const asked = boundedAnchors(wanted);
  const kept = had.filter((one) => asked.some(isSame(one)));
  const added = asked.filter((one) => !had.some(isSame(one)));
  const former = had.filter((one) => !asked.some(isSame(one)));
  const stays = [kept.map(({ places }) => places), added.map(longestOf)].flat();
  return {
    kept,
    added,
    former,
    items: countRows([...added.map(longestOf), ...former.map(({ places }) => places)]),
    rows: countRows(stays),
    bytes: JSON.stringify(stays).length + asked.reduce((sum, { path }) => sum + path.length + ENTRY_BYTES, 0),
  };
}

/** `{"path":"","digest":"…","places":}` and a comma. */
const ENTRY_BYTES = 52;

type Named = Pick<IndexedSelector, 'path' | 'digest'>;

const isSame = (one: Named) => (other: Named) => one.path === other.path && one.digest === other.digest;

const countRows = (all: readonly (readonly AnchorPlace[])[]) => all.reduce((sum, one) => sum + one.length, 0);

function longestOf({ choices }: NewAnchor): readonly AnchorPlace[] {
  const size = (places: readonly AnchorPlace[]) => JSON.stringify(places).length;
  return choices.reduce((longest, one) => (size(one) > size(longest) ? one : longest), choices[0] ?? []);
}

/** Where an object has too many, one row for each target says to read it. */
function boundedAnchors(wanted: readonly CarriedSelector[]): readonly NewAnchor[] {
  const each = wanted.map(anchorsOf).filter((one) => longestOf(one).length > 0);
  if (countRows(each.map(longestOf)) <= MOST_ROWS) return each;
  const targets = [...new Set(wanted.map(({ target }) => target))];
  const places = targets.map((target) => ({ target, anchor: '*' }));
  const digest = digestOf(each.map((one) => `${one.path} ${one.digest}`));
  return [{ path: ALL, digest, carried: undefined, choices: [places] }];
}

function anchorsOf(carried: CarriedSelector): NewAnchor {
  const { path, target, selector, fields, namespaceSelector } = carried;
  const choices = anchorChoices(selector);
  const namespaces = carried.namespaces && [...new Set(carried.namespaces)];
  const isFew = (namespaces?.length ?? 1) * (choices[0]?.length ?? 0) <= MOST_PLACES;
  const spaces = isFew && namespaces !== undefined ? namespaces : [undefined];
  return {
    path,
    digest: digestOf([
      target,
      namespaces === undefined ? '*' : namespaces.join(' '),
      `${selector}`,
      `${fields}`,
      namespaceSelector === undefined ? '*' : `=${namespaceSelector}`,
    ]),
    carried: isFew ? carried : undefined,
    choices: choices.map((anchors) =>
      spaces.flatMap((namespace) =>
        anchors.map((anchor) => ({ target, anchor, ...(namespace !== undefined && { namespace }) })),
      ),
    ),
  };
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 16);
}
