import type { AdmissionAttributes, MatchedAs } from '../../kubernetes/admission-match/index.ts';
import { type Caller, callWebhook, FailedCallError } from './call-webhook.ts';
import type { Matcher } from './matcher.ts';
import { NoteBook, type Notes } from './notes.ts';
import { denied, WebhookFailedError, withWarnings } from './refusals.ts';
import type { Webhook } from './webhook.ts';

/** One write and the webhooks that it may concern. */
export interface Asking<Asked extends Webhook = Webhook> {
  readonly caller: Caller;
  readonly matcher: Matcher<Asked>;
  readonly webhooks: readonly Asked[];
  readonly attributes: AdmissionAttributes;
  /** The end of the time for all calls of a request, in ms since the epoch. */
  readonly until: number;
}

/**
 * Asks all matching webhooks at once whether a write may happen. All calls end before this returns or throws.
 *
 * @throws ApiError the refusal of the first webhook, in the order of configurations, that denies the write or fails
 */
export async function validateByWebhooks<Asked extends Webhook>(asking: Asking<Asked>): Promise<Notes> {
  const { webhooks, matcher, attributes } = asking;
  const asked: { webhook: Asked; seen: MatchedAs }[] = [];
  for (const webhook of webhooks) {
    const seen = await matcher.match(webhook, attributes);
    if (seen !== undefined) asked.push({ webhook, seen });
  }
  const notes = new NoteBook();
  const outcomes = await Promise.allSettled(
    asked.map(({ webhook, seen }, index) => ask(asking, { webhook, seen, index, notes })),
  );
  const refusal = outcomes.find(({ status }) => status === 'rejected');
  if (refusal?.status === 'rejected') throw withWarnings(refusal.reason, notes.warnings);
  return notes;
}

interface One {
  readonly webhook: Webhook;
  readonly seen: MatchedAs;
  readonly index: number;
  readonly notes: NoteBook;
}

async function ask(
  { caller, matcher, attributes, until }: Pick<Asking<never>, 'caller' | 'matcher' | 'attributes' | 'until'>,
  one: One,
): Promise<void> {
  const { webhook, seen, index, notes } = one;
  const shown = await matcher.shown(attributes, seen);
  try {
    const reviewed = await callWebhook(caller, { webhook, mutating: false, attributes: shown, seen, until });
    if (reviewed === undefined) return;
    notes.add(webhook.name, reviewed);
    if (!reviewed.allowed) throw denied(webhook.name, reviewed.status);
  } catch (error) {
    if (!(error instanceof FailedCallError)) throw error;
    if (!webhook.ignoresFailures) throw new WebhookFailedError(error);
    notes.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, webhook.name);
  }
}
