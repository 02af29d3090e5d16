import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';
import { FUNCTION_ARN, readDestinationList } from '../../../lib/webhook-places/index.ts';

/** The most bytes of the list, as JSON. Lambda's limit for a whole environment is 4 KB. */
const LONGEST_LIST = 2_000;

export interface WebhookProps {
  /** The places that admission webhooks may name, as JSON text. */
  readonly webhooks?: string | undefined;
}

/** @throws {Error} the list is invalid, or too long for a function's environment */
export function webhookVariables({ webhooks }: WebhookProps): Record<string, string> {
  if (webhooks === undefined) return {};
  const list = JSON.stringify(readDestinationList(JSON.parse(webhooks)));
  const bytes = Buffer.byteLength(list);
  if (bytes > LONGEST_LIST) {
    throw new Error(
      `the list of webhook destinations takes ${bytes} bytes as JSON; the limit is ${LONGEST_LIST}`,
    );
  }
  return { [ENVIRONMENT.webhooks]: list };
}

/** Lets a function invoke the Lambda functions of the list. */
export function allowWebhooks(caller: IFunction, { webhooks }: WebhookProps): void {
  if (webhooks === undefined) return;
  const { functions, services } = readDestinationList(JSON.parse(webhooks));
  const resources = [...functions, ...Object.values(services).filter((target) => FUNCTION_ARN.test(target))];
  if (resources.length === 0) return;
  caller.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources }));
}
