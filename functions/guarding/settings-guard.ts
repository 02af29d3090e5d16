import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import { findLosses, GUARDED, type StoredSettings } from '../../lib/guarded-settings/index.ts';
import type { Logger } from '../../lib/platform/index.ts';

/** A request of CloudFormation for the custom resource. */
export type SettingsEvent = CloudFormationCustomResourceEvent;

/** The services that the handler uses. */
export interface SettingsGuardOptions {
  readonly logger: Logger;
  /** Reads the status of a stack, such as UPDATE_IN_PROGRESS. It may reject. */
  readonly stackStatus: (stackId: string) => Promise<string>;
  /** Sends the answer to CloudFormation, at the URL of the event. */
  readonly respond: (url: string, answer: CloudFormationCustomResourceResponse) => Promise<void>;
}

/** The id never changes, because CloudFormation would treat a new id as a new resource. */
const PHYSICAL_ID = 'winnow-settings';

/** In characters. CloudFormation accepts answers of 4 KB, and a stack event shows about 2,000 characters. */
const LONGEST_REASON = 2_000;

/**
 * Creates the handler of the custom resource whose properties are a stack's guarded settings. An update that would lose
 * data fails. All other resources depend on this one, so none of them has changed when this one fails.
 *
 * - Create has nothing to compare with, and Delete loses nothing: both succeed.
 * - A rollback is an update from the new settings to the old ones. It must succeed, or the stack would be stuck in
 *   UPDATE_ROLLBACK_FAILED. Its event looks like any other update, so the handler reads the status of the stack.
 */
export function createSettingsGuard({ logger, stackStatus, respond }: SettingsGuardOptions) {
  return async (event: SettingsEvent): Promise<void> => {
    const reason = await refusal(event).catch(
      (error: unknown) => `the settings could not be compared: ${error}`,
    );
    if (reason !== undefined) logger.warn('the deployment was refused', { reason });
    await respond(event.ResponseURL, {
      ...(reason === undefined ? { Status: 'SUCCESS' } : { Status: 'FAILED', Reason: reason }),
      PhysicalResourceId: PHYSICAL_ID,
      StackId: event.StackId,
      RequestId: event.RequestId,
      LogicalResourceId: event.LogicalResourceId,
    });
  };

  /** Why the update must fail; undefined if it may continue. */
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
    const remedy = `Restore the old value, or allow the change with -c confirmChange=${names} (confirmChange of the construct)`;
    return `The deployment was refused, and nothing was changed. ${remedy}. ${messages}`.slice(
      0,
      LONGEST_REASON,
    );
  }
}

/** Reads the stored settings. A property that an older release did not store is empty and loses nothing. */
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
