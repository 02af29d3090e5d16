import { type JsonObject, metadataOf } from '../../json/index.ts';
import { type AdmissionAttributes, isHiddenFromWebhooks } from '../../kubernetes/admission-match/index.ts';
import type { RuleVersions, Store } from '../../store/index.ts';
import {
  type AttributesOptions,
  attributesOf,
  type RuleCache,
  type RuledWebhook,
} from '../admission-policies/index.ts';
import { type ApiOptions, type MutatedObject, ReadAgainError, type RuledWrite } from '../http/index.ts';
import { ApiError } from '../status/index.ts';
import {
  type Caller,
  mutateByWebhooks,
  NoteBook,
  type Notes,
  validateByWebhooks,
  WebhookFailedError,
} from '../webhooks/index.ts';
import { type MatcherOptions, WebhookMatcher } from './webhook-matcher.ts';

/** The time for all calls of a request, in ms from its start. */
const CALLING_TIME = 15_000;

export interface RequestWebhooksOptions
  extends AttributesOptions,
    Omit<MatcherOptions, 'namespace'>,
    Pick<ApiOptions, 'metrics'> {
  readonly cache: RuleCache;
  readonly versions: RuleVersions;
  readonly caller: Caller;
  /** The request's store, without the caller's scope. */
  readonly store: Store;
  /** When the request began, in ms since the epoch. */
  readonly began: number;
}

type Between = (object: JsonObject | undefined) => Promise<JsonObject | undefined>;

/** The webhooks that decide the writes of one request, as of its start or later. */
export class RequestWebhooks {
  readonly #options: RequestWebhooksOptions;
  readonly #until: number;
  /** The decisions of webhooks about each state of each object. */
  readonly #validated = new Map<string, Notes>();
  readonly #mutated = new Map<string, { readonly object: JsonObject | undefined; readonly notes: Notes }>();
  /** Whether a webhook was asked since the objects were last read. */
  #hasWaited = false;

  constructor(options: RequestWebhooksOptions) {
    this.#options = options;
    this.#until = options.began + CALLING_TIME;
  }

  /** What the webhooks said besides denials. */
  get notes(): Notes {
    const all = new NoteBook();
    for (const { notes } of this.#mutated.values()) all.merge(notes);
    for (const notes of this.#validated.values()) all.merge(notes);
    return all;
  }

  /**
   * Has mutating webhooks change an object before it is validated. Asks once about each state of an object.
   *
   * @param complete decodes an object that a webhook changed, and sets its defaults
   * @param between has mutating policies change the object once more, after all webhooks were asked
   * @returns the object; undefined for a DELETE
   * @throws ApiError a webhook denies the write, or cannot be asked
   */
  async mutate(
    write: RuledWrite,
    complete: MutatedObject,
    between: Between,
  ): Promise<JsonObject | undefined> {
    const webhooks = await this.#webhooks('mutating');
    const attributes = attributesOf(write, this.#options);
    if (webhooks.length === 0 || isHiddenFromWebhooks(attributes)) return between(write.object);
    const key = keyOf(attributes);
    const known = this.#mutated.get(key);
    if (known !== undefined) return known.object;
    const matcher = this.#matcherOf(write, attributes);
    const mutated = await this.#measured(() =>
      mutateByWebhooks({ ...this.#asking, matcher, webhooks, attributes, complete, between }),
    );
    if (matcher.hasMatched) {
      this.#hasWaited = true;
      this.#mutated.set(key, mutated);
    }
    return mutated.object;
  }

  /**
   * Has validating webhooks decide a write. Call it last, inside the change.
   *
   * @throws ApiError a webhook denies the write, or cannot be asked
   * @throws {ReadAgainError} webhooks were asked
   */
  async validate(describe: () => RuledWrite | Promise<RuledWrite>): Promise<void> {
    const webhooks = await this.#webhooks('validating');
    if (webhooks.length > 0) await this.#validate(webhooks, await describe());
    if (!this.#hasWaited) return;
    this.#hasWaited = false;
    throw new ReadAgainError();
  }

  async #validate(webhooks: readonly RuledWebhook[], write: RuledWrite): Promise<void> {
    const attributes = attributesOf(write, this.#options);
    const key = keyOf(attributes);
    if (isHiddenFromWebhooks(attributes) || this.#validated.has(key)) return;
    const matcher = this.#matcherOf(write, attributes);
    const notes = await this.#measured(() =>
      validateByWebhooks({ ...this.#asking, matcher, webhooks, attributes }),
    );
    if (!matcher.hasMatched) return;
    this.#hasWaited = true;
    this.#validated.set(key, notes);
  }

  get #asking() {
    return { caller: this.#options.caller, until: this.#until };
  }

  #webhooks(kind: 'mutating' | 'validating'): Promise<readonly RuledWebhook[]> {
    const { cache, store, versions } = this.#options;
    return cache.webhooks(store, versions, kind);
  }

  #matcherOf(write: RuledWrite, attributes: AdmissionAttributes): WebhookMatcher {
    return new WebhookMatcher({ ...this.#options, namespace: write.namespace }, attributes);
  }

  async #measured<Result>(work: () => Promise<Result>): Promise<Result> {
    const { clock, metrics } = this.#options;
    const began = clock.now();
    const record = (outcome: 'admitted' | 'denied' | 'failed') =>
      metrics?.record('WebhookLatency', clock.now() - began, { outcome });
    try {
      const result = await work();
      record('admitted');
      return result;
    } catch (error) {
      record(error instanceof ApiError && !(error instanceof WebhookFailedError) ? 'denied' : 'failed');
      throw error;
    }
  }
}

/**
 * One write of one object: webhooks are asked about it once. The times in managedFields are left out, because a repeated
 * change has later ones.
 */
function keyOf({ operation, name, namespace, object, oldObject }: AdmissionAttributes): string {
  const { uid = '', resourceVersion = '' } = oldObject === undefined ? {} : metadataOf(oldObject);
  const { managedFields: _fields, ...metadata } = object === undefined ? {} : metadataOf(object);
  const content = object && JSON.stringify({ ...object, metadata });
  return [operation, namespace, name, uid, resourceVersion, content ?? ''].join('/');
}
