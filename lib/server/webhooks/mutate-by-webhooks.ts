import { type JsonObject, type JsonValue, jsonEquals } from '../../json/index.ts';
import type { MatchedAs } from '../../kubernetes/admission-match/index.ts';
import { applyJsonPatch, PatchFailedError, PatchSyntaxError } from '../../kubernetes/patch/index.ts';
import { ApiError } from '../status/index.ts';
import { UnreadablePatchError } from './admission-review.ts';
import { callWebhook, FailedCallError } from './call-webhook.ts';
import { NoteBook, type Notes } from './notes.ts';
import { denied, WebhookFailedError, withWarnings } from './refusals.ts';
import type { Asking } from './validate-by-webhooks.ts';
import type { Webhook } from './webhook.ts';

/** A write whose object webhooks may change. */
export interface Mutating<Asked extends Webhook = Webhook> extends Asking<Asked> {
  /** Completes an object that a webhook changed: the defaults of its kind. */
  complete(object: JsonObject): Promise<JsonObject>;
  /** Has mutating policies change the object once more, after all webhooks were asked. */
  between?(object: JsonObject | undefined): Promise<JsonObject | undefined>;
}

/** The object after all webhooks. */
export interface Mutated {
  /** Undefined for a DELETE, which nothing changes. */
  readonly object: JsonObject | undefined;
  readonly changed: boolean;
  readonly notes: Notes;
}

/**
 * Asks all matching webhooks one after the other, and applies their patches. If one changed the object, those before
 * it with `reinvocationPolicy: IfNeeded` are asked once more about the result, as upstream. If policies change it between
 * the rounds, all with that policy are.
 *
 * @throws ApiError a webhook denied the write, or failed and does not ignore failures
 */
export async function mutateByWebhooks<Asked extends Webhook>(mutating: Mutating<Asked>): Promise<Mutated> {
  const { attributes } = mutating;
  const notes = new NoteBook();
  const first = new Round(mutating, notes, 0);
  const after = await first.run(attributes.object, mutating.webhooks);
  const between = mutating.between === undefined ? after : await mutating.between(after);
  const isChanged = between !== after && !jsonEquals(between ?? null, after ?? null);
  const again = first.askedBeforeChange(isChanged);
  const object = again.length === 0 ? between : await new Round(mutating, notes, 1).run(between, again);
  return { object, changed: !jsonEquals(object ?? null, attributes.object ?? null), notes };
}

/** One pass over the webhooks. */
class Round<Asked extends Webhook> {
  readonly #mutating: Mutating<Asked>;
  readonly #notes: NoteBook;
  readonly #number: number;
  /** The reinvocable webhooks, with the number of changes before their answer was applied. */
  readonly #asked: { webhook: Asked; changes: number }[] = [];
  #changes = 0;

  constructor(mutating: Mutating<Asked>, notes: NoteBook, number: number) {
    this.#mutating = mutating;
    this.#notes = notes;
    this.#number = number;
  }

  async run(given: JsonObject | undefined, webhooks: readonly Asked[]): Promise<JsonObject | undefined> {
    const { attributes, matcher } = this.#mutating;
    let object = given;
    for (const webhook of webhooks) {
      const now = { ...attributes, object };
      const seen = await matcher.match(webhook, now);
      if (seen === undefined) continue;
      const next = await this.#ask(webhook, seen, object);
      if (next !== undefined) this.#changes += 1;
      if (webhook.reinvoked) this.#asked.push({ webhook, changes: this.#changes });
      object = next ?? object;
    }
    return object;
  }

  /** The webhooks that saw an earlier object than the last one; all if it changed after them. */
  askedBeforeChange(isChanged: boolean): Asked[] {
    const before = this.#asked.filter(({ changes }) => isChanged || changes < this.#changes);
    return before.map(({ webhook }) => webhook);
  }

  /** The changed object; undefined if the webhook changes nothing. */
  async #ask(
    webhook: Webhook,
    seen: MatchedAs,
    object: JsonObject | undefined,
  ): Promise<JsonObject | undefined> {
    const { caller, matcher, attributes, until, complete } = this.#mutating;
    const place = `round_${this.#number}_index_${webhook.index}`;
    const shown = await matcher.shown({ ...attributes, object }, seen);
    let changed: JsonObject | undefined;
    try {
      const reviewed = await callWebhook(caller, { webhook, mutating: true, attributes: shown, seen, until });
      if (reviewed === undefined) return undefined;
      this.#notes.add(webhook.name, reviewed);
      if (!reviewed.allowed) throw denied(webhook.name, reviewed.status);
      if (reviewed.patch !== undefined && !isEmptyList(reviewed.patch)) {
        const patched = patchedBy(webhook, shown.object, reviewed.patch);
        const completed = await complete(await matcher.back(patched, attributes));
        if (!jsonEquals(completed, object ?? null)) changed = completed;
        this.#notes.annotate(`patch.webhook.admission.k8s.io/${place}`, patchNote(webhook, reviewed.patch));
      }
    } catch (error) {
      if (!(error instanceof FailedCallError)) throw unreadable(withWarnings(error, this.#notes.warnings));
      if (!webhook.ignoresFailures) throw new WebhookFailedError(error);
      this.#notes.annotate(`failed-open.mutation.webhook.admission.k8s.io/${place}`, webhook.name);
    }
    const { configuration, name } = webhook;
    const mutation = JSON.stringify({ configuration, webhook: name, mutated: changed !== undefined });
    this.#notes.annotate(`mutation.webhook.admission.k8s.io/${place}`, mutation);
    return changed;
  }
}

const isEmptyList = (patch: JsonValue) => patch === null || (Array.isArray(patch) && patch.length === 0);

/** The most characters of a patch that the audit log records. */
const LONGEST_NOTE = 10_000;

function patchNote({ configuration, name }: Webhook, patch: JsonValue): string {
  const note = { configuration, webhook: name, patch, patchType: 'JSONPatch' };
  const text = JSON.stringify(note);
  return text.length <= LONGEST_NOTE ? text : JSON.stringify({ ...note, patch: undefined });
}

function patchedBy({ name }: Webhook, object: JsonObject | undefined, patch: JsonValue): JsonObject {
  if (object === undefined) {
    throw internal(
      `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  try {
    return applyJsonPatch(object, patch);
  } catch (error) {
    if (!(error instanceof PatchFailedError || error instanceof PatchSyntaxError)) throw error;
    const detail = 'detail' in error ? error.detail : error.message;
    throw internal(`the patch of admission webhook ${JSON.stringify(name)} does not apply: ${detail}`);
  }
}

function unreadable(error: unknown): unknown {
  return error instanceof UnreadablePatchError ? internal(error.message) : error;
}

function internal(message: string): ApiError {
  const causes = [{ reason: '', message }];
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes });
}
