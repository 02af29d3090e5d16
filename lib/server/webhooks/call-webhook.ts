import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { AdmissionAttributes, MatchedAs } from '../../kubernetes/admission-match/index.ts';
import type { Clock, Logger, Random } from '../../platform/index.ts';
import { ApiError, badRequest } from '../status/index.ts';
import { InvalidReviewError, type Reviewed, readReview, reviewOf } from './admission-review.ts';
import {
  type Destination,
  type Destinations,
  IGNORED,
  NoDestinationError,
  urlOfService,
} from './destination.ts';
import type { SlowWebhooks } from './slow-webhooks.ts';
import { type Transport, type TransportAnswer, TransportError } from './transport.ts';
import type { Webhook } from './webhook.ts';

/** The parts of a server that calls webhooks. */
export interface Caller {
  readonly destinations: Destinations;
  readonly transport: Transport;
  readonly slow: SlowWebhooks;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** One question to one webhook. */
export interface Question {
  readonly webhook: Webhook;
  readonly mutating: boolean;
  readonly attributes: AdmissionAttributes;
  readonly seen: MatchedAs;
  /** The end of the time for all calls of a request, in ms since the epoch. */
  readonly until: number;
}

/** A call that brought no decision. The message is kube-apiserver's; its `failurePolicy` says what follows. */
export class FailedCallError extends Error {
  override readonly name = 'FailedCallError';

  constructor({ name }: Webhook, reason: string) {
    super(`failed calling webhook ${JSON.stringify(name)}: ${reason}`);
  }
}

/**
 * Asks one webhook. Undefined if the operator ignores it.
 *
 * @throws {FailedCallError} the webhook gave no decision
 * @throws ApiError 400 the webhook does not support dry runs; 504 the time for all calls is over
 */
export async function callWebhook(caller: Caller, question: Question): Promise<Reviewed | undefined> {
  try {
    return await call(caller, question);
  } catch (error) {
    const { configuration, name: webhook } = question.webhook;
    if (error instanceof FailedCallError) {
      caller.logger.warn('a call of a webhook failed', { configuration, webhook, error });
    }
    throw error;
  }
}

async function call(caller: Caller, question: Question): Promise<Reviewed | undefined> {
  const { webhook, attributes, mutating } = question;
  if (attributes.dryRun && !webhook.allowsDryRun) {
    throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
  if (!webhook.reviewVersions.includes('v1')) {
    const reason = 'webhook does not accept known AdmissionReview versions (v1)';
    throw new FailedCallError(webhook, `could not create admission objects: ${reason}`);
  }
  const destination = await destinationOf(caller, webhook);
  if (destination === IGNORED) return undefined;
  const uid = caller.random.uuid();
  const review = reviewOf(uid, attributes, question.seen);
  const answer = await send(caller, question, { destination, review });
  try {
    return readReview(decode(webhook, answer), uid, mutating);
  } catch (error) {
    if (!(error instanceof InvalidReviewError)) throw error;
    throw new FailedCallError(webhook, `received invalid webhook response: ${error.message}`);
  }
}

async function destinationOf(
  { destinations }: Caller,
  webhook: Webhook,
): Promise<Destination | typeof IGNORED> {
  try {
    return await destinations.find(webhook.client);
  } catch (error) {
    if (!(error instanceof NoDestinationError)) throw error;
    const { service } = webhook.client;
    const why = service === undefined ? error.message : `Post "${urlOfService(service)}": ${error.message}`;
    throw new FailedCallError(webhook, `failed to call webhook: ${why}`);
  }
}

interface Sent {
  readonly destination: Destination;
  readonly review: JsonObject;
}

/** @throws {FailedCallError} no answer arrived */
async function send(
  { clock, slow, transport }: Caller,
  { webhook, until }: Question,
  { destination, review }: Sent,
): Promise<TransportAnswer> {
  const left = until - clock.now();
  if (left <= 0) throw outOfTime();
  const id = `${webhook.configuration}/${webhook.name}`;
  const own = slow.timeoutOf(id, webhook.timeout);
  const timeout = Math.min(own, left);
  try {
    const answer = await transport.post(destination, JSON.stringify(review), timeout);
    slow.answered(id);
    return answer;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    // Another webhook may have used up the time.
    if (error.isTimeout && timeout === own) slow.timedOut(id);
    throw new FailedCallError(webhook, `failed to call webhook: ${error.message}`);
  }
}

/** The error for a write whose time for webhooks is over. */
function outOfTime(): ApiError {
  return new ApiError(504, 'Timeout', 'request did not complete within requested timeout');
}

/** The JSON of an answer. @throws {FailedCallError} the server refused the call, or the answer is not JSON */
function decode(webhook: Webhook, { status, text }: TransportAnswer): JsonValue {
  const value = parse(text);
  if (status < 200 || status > 299) {
    throw new FailedCallError(webhook, `failed to call webhook: ${refusalIn(status, text, value)}`);
  }
  if (value === undefined) {
    throw new FailedCallError(webhook, 'failed to call webhook: the answer of the webhook is not JSON');
  }
  return value;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The most characters of an answer that a message quotes. */
const QUOTED = 1_000;

/** The message of an HTTP error, as client-go has it. */
function refusalIn(status: number, text: string, value: JsonValue | undefined): string {
  const told = isJsonObject(value) && value.kind === 'Status' ? value.message : undefined;
  if (typeof told === 'string') return told;
  if (status === 404) return 'the server could not find the requested resource';
  if (status === 401) return 'the server has asked for the client to provide credentials';
  if (status === 503) return 'the server is currently unable to handle the request';
  if (status >= 500) {
    const body = JSON.stringify(text.slice(0, QUOTED));
    return `an error on the server (${body}) has prevented the request from succeeding`;
  }
  if (status >= 300 && status < 400) {
    return `the server answered ${status}, but a call of a webhook follows no redirect`;
  }
  return `the server rejected our request for an unknown reason (status ${status})`;
}
