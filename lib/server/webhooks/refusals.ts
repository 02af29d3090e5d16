import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '../../json/index.ts';
import { ApiError, type StatusDetails } from '../status/index.ts';
import type { FailedCallError } from './call-webhook.ts';

/** The answer 500 for a failed call of a webhook that does not ignore failures. */
export class WebhookFailedError extends ApiError {
  constructor({ message }: FailedCallError) {
    super(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ reason: '', message }] });
    this.name = 'WebhookFailedError';
  }
}

/** The answer to a write that a webhook denied. */
class WebhookDenialError extends ApiError {
  override warnings: readonly string[] = [];
}

/** Gives a refusal the warnings of the webhooks that were asked before. */
export function withWarnings(error: unknown, warnings: readonly string[]): unknown {
  if (error instanceof WebhookDenialError) error.warnings = warnings;
  return error;
}

/** The answer to a write that a webhook denied: the webhook's own Status, with its code, reason and details. */
export function denied(webhook: string, status: JsonObject = {}): ApiError {
  const { code, reason, message, details } = status;
  const by = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = textOf(message) ?? textOf(reason);
  return new WebhookDenialError(
    typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599 ? code : 400,
    textOf(reason) ?? '',
    why === undefined ? `${by} without explanation` : `${by}: ${why}`,
    isJsonObject(details) ? detailsOf(details) : {},
  );
}

/** The details of a Status, without members that Kubernetes does not know. */
function detailsOf({ name, group, kind, uid, causes, retryAfterSeconds }: JsonObject): StatusDetails {
  const texts = Object.entries({ name, group, kind, uid }).filter(([, value]) => textOf(value) !== undefined);
  return {
    ...Object.fromEntries(texts),
    causes: objectsIn(causes).map(({ reason, message, field }) => ({
      reason: textOf(reason) ?? '',
      message: textOf(message) ?? '',
      ...(textOf(field) !== undefined && { field: textOf(field) }),
    })),
    ...(isSeconds(retryAfterSeconds) && { retryAfterSeconds }),
  };
}

const isSeconds = (value: JsonValue | undefined): value is number =>
  Number.isInteger(value) && Number(value) >= 0;

const textOf = (value: JsonValue | undefined) =>
  typeof value === 'string' && value !== '' ? value : undefined;
