import { createHash } from 'node:crypto';
import { anchorChoices } from '../../selectors/index.ts';
import type { IndexedSelector } from '../indexed-selector.ts';
import type { AnchorPlace } from '../keys.ts';
import type { CarriedSelector } from './carried-selector.ts';

/** A selector whose postings are not chosen yet. */
export interface NewAnchor extends Pick<IndexedSelector, 'path' | 'digest'> {
  /** Undefined if the postings only say to read the carrier. */
  readonly carried: CarriedSelector | undefined;
  /** The alternatives for the postings. Each one is complete, and all have the same number of rows. */
  readonly choices: readonly (readonly AnchorPlace[])[];
}

/** The changes that a write makes to its object's postings. */
export interface AnchorPlan {
  readonly kept: readonly IndexedSelector[];
  readonly added: readonly NewAnchor[];
  /** The selectors whose postings are deleted or moved. */
  readonly former: readonly IndexedSelector[];
  /** The maximum number of rows that the write puts, deletes or marks. */
  readonly items: number;
  /** The number of postings after the write. */
  readonly rows: number;
  /** The maximum number of bytes that the postings take in the object's own row. */
  readonly bytes: number;
}

/**
 * The maximum number of postings of one selector, and of one object. Beyond it there are fewer postings with less
 * content: they say to read the carrier.
 */
const MOST_PLACES = 16;
const MOST_ROWS = 24;
/** The path of a posting that stands for all selectors of an object. No field has this name. */
const ALL = '*';

/**
 * Plans the postings of a write.
 *
 * @param had the object's postings before the write
 * @param wanted all selectors of the object after the write
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

/** The postings of an object. If there would be too many, one posting for each target says to read the object. */
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
