import type { Collection, JsonObject } from '../../json/index.ts';
import { findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Random } from '../../platform/index.ts';
import { reservedByEntry } from '../access/index.ts';
// Not from the index.ts, which Lambda functions load: only a restore needs this.
import { allocateService } from '../admission/index.ts';

const SERVICES: Collection = 'core/services';
const ENTRIES: Collection = 'winnow.dev/accessentries';

/** The reservations of a stored object, computed from its body. No value is chosen. */
export async function reservedBy(
  collection: Collection,
  body: JsonObject,
  random: Random,
): Promise<readonly string[]> {
  if (collection === ENTRIES) return reservedByEntry(body);
  const type = collection === SERVICES ? findResourceType('', 'v1', 'services') : undefined;
  if (type === undefined) return [];
  const nobody = { reservationHolders: async () => new Map<string, string>() };
  // Passed as the current state, so that its addresses are accepted even if they are outside the deployment's current
  // range.
  const old = { body, reserved: [] };
  return (await allocateService({ type, body, old, store: nobody, random, dryRun: false })).reserves;
}
