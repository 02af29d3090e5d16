import type { WatchRecord } from '../history.ts';
import { changeByEveryVerb } from './change-by-every-verb.ts';
import { type GivenToken, passTokens } from './pass-tokens.ts';
import { readEvents, tellEvents } from './read-events.ts';
import { streamLists } from './stream-lists.ts';
import type { TenantOptions } from './tenant.ts';

/**
 * The lives of tenants that use every verb, of a writer of Events, and of a client that sees everything and uses the
 * tenants' tokens.
 */
export function everyVerbLives(
  tenants: readonly TenantOptions[],
  streams: WatchRecord[],
): readonly (() => Promise<void>)[] {
  const given: GivenToken[] = [];
  const [first] = tenants;
  const somebody = first === undefined ? [] : [{ ...first, at: undefined }];
  return [
    ...somebody.flatMap((one) => [() => tellEvents(one), () => passTokens(one, given)]),
    ...tenants.flatMap((one) => [
      () => changeByEveryVerb(one),
      () => streamLists(one, streams),
      () => readEvents(one),
      () => passTokens(one, given),
    ]),
  ];
}
