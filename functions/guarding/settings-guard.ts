import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import { findLosses, GUARDED, type StoredSettings } from '../../lib/guarded-settings/index.ts';
import type { Logger } from '../../lib/platform/index.ts';

export type SettingsEvent = CloudFormationCustomResourceEvent;

export interface SettingsGuardOptions {
  readonly logger: Logger;
  /** The status of a stack, such as UPDATE_IN_PROGRESS. It may throw. */
  readonly stackStatus: (stackId: string) => Promise<string>;
  /** Sends the answer to CloudFormation, at the URL of the event. */
  readonly respond: (url: string, answer: CloudFormationCustomResourceResponse) => Promise<void>;
}

/** It never changes: CloudFormation would take another one for another resource. */
const PHYSICAL_ID = 'winnow-settings';

/** In characters. CloudFormation takes 4 KB of answer, and an event of a stack shows about that many. */
const LONGEST_REASON = 2_000;

/**
 * The custom resource that holds a stack's guarded settings as its properties. An update that would lose something
 * fails, and as all resources depend on this one, nothing else has changed by then.
 *
 * - Create has nothing to compare with, and Delete loses nothing: both succeed.
 * - A rollback is an update from the new settings to the old ones. It must succeed, or the stack would be stuck in
 *   UPDATE_ROLLBACK_FAILED. An event does not tell it from another update; the status of the stack does.
 */
export function createSettingsGuard({ logger, stackStatus, respond }: SettingsGuardOptions) {
  return async (event: SettingsEvent): Promise<void> => {
    const reason = await refusal(event).catch((error: unknown) => `the settings were not compared: ${error}`);
    if (reason !== undefined) logger.warn('the deployment was refused', { reason });
    await respond(event.ResponseURL, {
      ...(reason === undefined ? { Status: 'SUCCESS' } : { Status: 'FAILED', Reason: reason }),
      PhysicalResourceId: PHYSICAL_ID,
      StackId: event.StackId,
      RequestId: event.RequestId,
      LogicalResourceId: event.LogicalResourceId,
    });
  };

  /** Why the update must not go on; undefined where it may. */
  async function refusal(event: SettingsEvent): Promise<string | undefined> {
    if (event.RequestType !== 'Update') return undefined;
    const before = storedIn(event.OldResourceProperties);
    const after = storedIn(event.ResourceProperties);
    const losses = findLosses(before, after, textsIn(event.ResourceProperties.confirmChange));
    if (losses.length === 0) return undefined;
    if ((await stackStatus(event.StackId)).includes('ROLLBACK')) {
      logger.info('a rollback restores these settings', { losses });
      return undefined;
    }
    const names = losses.map(({ setting }) => setting).join(',');
    const messages = losses.map(({ setting, message }) => `${setting}: ${message}`).join('. ');
    const remedy = `Set it as it was, or allow the change with -c confirmChange=${names} (confirmChange of the construct)`;
    return `The deployment was refused, and nothing was changed. ${remedy}. ${messages}`.slice(
      0,
      LONGEST_REASON,
    );
  }
}

/** A property that an older release did not store is empty, which loses nothing. */
function storedIn(properties: Readonly<Record<string, unknown>>): StoredSettings {
  const text = (name: keyof StoredSettings): string => String(properties[name] ?? '');
  return {
    ...(Object.fromEntries(GUARDED.map((name) => [name, text(name)])) as Record<
      keyof StoredSettings,
      string
    >),
    table: text('table'),
    principals: textsIn(properties.principals),
  };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
