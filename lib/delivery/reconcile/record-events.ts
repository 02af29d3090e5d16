import { recordEvent } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import type { EventRecord } from '../../kubernetes/lifecycle/index.ts';
import { EVENTS } from '../../kubernetes/lifecycle/index.ts';
import type { TargetResources } from '../../kubernetes/winnow/index.ts';
import type { Logger, Random } from '../../platform/index.ts';
import type { ObjectState } from '../../store/index.ts';
import type { StatusOptions } from '../subscription/index.ts';

export interface TellOptions extends StatusOptions {
  readonly random: Random;
  readonly logger: Logger;
  readonly resources: TargetResources;
}

/** Records Events about a Subscription or a Tally. It never fails: an Event that cannot be recorded is dropped. */
export async function tellHappenings(
  options: TellOptions,
  collection: Collection,
  { name, uid }: Pick<ObjectState, 'name' | 'uid'>,
  happenings: readonly EventRecord[],
): Promise<void> {
  const { resources, logger } = options;
  const type = resources.of(collection);
  if (type === undefined || resources.of(EVENTS) === undefined) return;
  const { apiVersion, kind } = type;
  for (const happening of happenings) {
    try {
      await recordEvent(options, { apiVersion, kind, name, uid }, happening);
    } catch (error) {
      logger.warn('an Event was not recorded', { uid, reason: happening.reason, error });
    }
  }
}
