import { collectionOf, type JsonObject, jsonEquals } from '../json/index.ts';
import { TIMING } from '../platform/index.ts';
import type { RuleVersions, Store } from '../store/index.ts';
import type { Permission } from './access/index.ts';
import { RequestRules, RuleCache } from './admission-policies/index.ts';
import type { ObjectMutation, RequestMutations } from './admission-policies/request-mutations.ts';
import type { RequestWebhooks } from './admission-webhooks/index.ts';
import type { ApiOptions, ApiRequest, Call, MutatedObject, ResourceRoute, RuledWrite } from './http/index.ts';
import type { CustomTypes } from './registry/index.ts';
import type { Caller } from './webhooks/index.ts';

/** The admission rules of a process, which the first request of a table with rules loads. */
export interface ProcessRules {
  cache?: Promise<RuleCache>;
  caller?: Promise<Caller>;
  /** The versions of the rules that the last request found; absent before the first one. */
  versions?: RuleVersions;
}

export interface DecidingOptions {
  readonly options: ApiOptions & { readonly types: CustomTypes; readonly rules: ProcessRules };
  /** The request's store, without the caller's scope. */
  readonly store: Store;
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
  /** The caller's; undefined for members of `system:masters`. */
  readonly permission: Permission | undefined;
  readonly policy: Call['policy'];
}

export interface OpenedRulesOptions extends DecidingOptions {
  readonly versions: RuleVersions;
  /** When the request began, in ms since the epoch. */
  readonly began: number;
}

/** What rules say besides denials. */
export type Said = Pick<RequestRules, 'warnings' | 'annotations'>;

/** The admission rules of a request to a table that has some. */
export class OpenedRules {
  readonly #options: OpenedRulesOptions;
  #policies: Promise<RequestRules> | undefined;
  #mutations: Promise<RequestMutations> | undefined;
  #webhooks: Promise<RequestWebhooks> | undefined;

  constructor(options: OpenedRulesOptions) {
    this.#options = options;
  }

  readonly decide: NonNullable<Call['decide']> = async (describe) => {
    const write = once(describe);
    if (this.#hasAll(POLICIES)) await (await this.#openPolicies()).decide(write);
    // The function that issues tokens calls no webhooks.
    if (this.#options.route.subresource === 'token' || !WEBHOOKS.some((one) => this.#hasAll([one]))) return;
    await (await this.#openWebhooks()).validate(write);
  };

  /** Policies change the object first, then webhooks. Both may be asked once more about the result, in this order. */
  readonly mutate = async (
    describe: () => RuledWrite | Promise<RuledWrite>,
    complete: MutatedObject,
  ): Promise<JsonObject | undefined> => {
    const write = await describe();
    const policies = await this.#mutation(write, complete);
    const first = policies === undefined ? write.object : await policies.first();
    const between = async (object: JsonObject | undefined) =>
      policies === undefined || object === undefined ? object : policies.again(object);
    const object = this.#hasAll(['mutatingwebhookconfigurations'])
      ? await (await this.#openWebhooks()).mutate(withObject(write, first), complete, between)
      : await between(first);
    return jsonEquals(object ?? null, write.object ?? null) ? write.object : object;
  };

  async said(): Promise<Said> {
    const policies = await this.#policies?.catch(() => undefined);
    const notes = (await this.#webhooks?.catch(() => undefined))?.notes;
    return {
      warnings: [...(notes?.warnings ?? []), ...(policies?.warnings ?? [])],
      annotations: new Map([...Object.entries(notes?.annotations ?? {}), ...(policies?.annotations ?? [])]),
    };
  }

  /** Whether there was ever an object of each of these types: without a binding, no policy decides. */
  #hasAll(resources: readonly string[]): boolean {
    const { versions } = this.#options;
    return resources.every((resource) => (versions.get(collectionOf(GROUP, resource)) ?? 0) > 0);
  }

  #cache(): Promise<RuleCache> {
    const { rules } = this.#options.options;
    rules.cache ??= RuleCache.open();
    return rules.cache;
  }

  async #mutation(write: RuledWrite, complete: MutatedObject): Promise<ObjectMutation | undefined> {
    if (!this.#hasAll(MUTATING)) return undefined;
    const { options, ...asked } = this.#options;
    this.#mutations ??= Promise.all([
      import('./admission-policies/request-mutations.ts'),
      this.#cache(),
    ]).then(([{ RequestMutations }, cache]) => new RequestMutations({ ...options, ...asked, cache }));
    return (await this.#mutations).begin(write, complete);
  }

  #openPolicies(): Promise<RequestRules> {
    const { options, ...asked } = this.#options;
    this.#policies ??= this.#cache().then((cache) => new RequestRules({ ...options, ...asked, cache }));
    return this.#policies;
  }

  #openWebhooks(): Promise<RequestWebhooks> {
    const { options, ...asked } = this.#options;
    const { rules, types } = options;
    const customTypes = async () => (await types.recent(asked.store, TIMING.definitionLook)).types;
    rules.caller ??= import('./webhooks/index.ts').then(({ openCaller }) => openCaller(options));
    this.#webhooks ??= Promise.all([
      import('./admission-webhooks/index.ts'),
      this.#cache(),
      rules.caller,
    ]).then(
      ([{ RequestWebhooks }, cache, caller]) =>
        new RequestWebhooks({ ...options, ...asked, cache, caller, customTypes }),
    );
    return this.#webhooks;
  }
}

const GROUP = 'admissionregistration.k8s.io';
const POLICIES = ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'];
const MUTATING = ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'];
const WEBHOOKS = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];

function withObject(write: RuledWrite, object: JsonObject | undefined): RuledWrite {
  return object === undefined || object === write.object ? write : { ...write, object };
}

/** Describes a write once: policies and webhooks ask for the same description. */
function once(describe: () => RuledWrite | Promise<RuledWrite>): () => Promise<RuledWrite> {
  let described: Promise<RuledWrite> | undefined;
  return () => {
    described ??= Promise.resolve(describe());
    return described;
  };
}
