import { TIMING } from '../../platform/index.ts';
import { everyField, parseFieldSelector, parseSelector } from '../../selectors/index.ts';
import { expiresAt } from '../journal.ts';
import { type AnchorKeyParts, parseAnchorKey, postingKey } from '../keys.ts';
import type { Row } from '../table.ts';
import type { CarriedSelector } from './carried-selector.ts';

/** The maximum length of a selector's text in a posting. For a longer one, look-ups read the carrier. */
const MOST_TEXT = 1_000;

/** The content of a posting. */
export type AnchorRow = AnchorKeyParts & { readonly uid: string } & (
    | { readonly kind: 'selector'; readonly carried: CarriedSelector }
    /** Read the carrier: its selector is too long to copy, or the posting stands for several selectors. */
    | { readonly kind: 'see' }
    /**
     * A mark. The carrier had a posting here until `time` (ms since the epoch, by its writer's clock), and still has
     * selectors.
     */
    | { readonly kind: 'moved'; readonly time: number }
  );

/** A posting of a carrier in a partition; without a selector it says to read the carrier. */
export function postingRow(parts: AnchorKeyParts, uid: string, carried: CarriedSelector | undefined): Row {
  const texts = carried === undefined ? undefined : textsOf(carried);
  const isShort = Object.values(texts ?? {}).join('').length <= MOST_TEXT;
  return { ...postingKey(parts), uid, ...(isShort ? texts : {}) };
}

/** A mark at the old place of a posting, for look-ups that read the new place too early. */
export function movedRow(parts: AnchorKeyParts, uid: string, time: number): Row {
  return { ...postingKey(parts), uid, moved: time, ttl: expiresAt(time, TIMING.tombstone) };
}

export function parseAnchorRow(row: Row): AnchorRow {
  const { uid, selector, fields, spaces, moved } = row;
  const parts = parseAnchorKey(row);
  const found = { ...parts, uid: String(uid) };
  if (moved !== undefined) return { ...found, kind: 'moved', time: Number(moved) };
  if (selector === undefined) return { ...found, kind: 'see' };
  const { path, target, namespace } = parts;
  const carried: CarriedSelector = {
    path,
    target,
    ...(namespace !== undefined && { namespaces: [namespace] }),
    selector: parseSelector(String(selector)),
    fields: fields === undefined ? everyField : parseFieldSelector(String(fields)),
    ...(spaces !== undefined && { namespaceSelector: parseSelector(String(spaces)) }),
  };
  return { ...found, kind: 'selector', carried };
}

function textsOf({ selector, fields, namespaceSelector }: CarriedSelector): Readonly<Record<string, string>> {
  return {
    selector: `${selector}`,
    ...(!fields.isEmpty && { fields: `${fields}` }),
    ...(namespaceSelector !== undefined && { spaces: `${namespaceSelector}` }),
  };
}
