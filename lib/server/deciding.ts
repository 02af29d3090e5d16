import { type Collection, collectionOf } from '../json/index.ts';
import { isStored, type ResourceType } from '../kubernetes/resource-types/index.ts';
import { type Random, TIMING } from '../platform/index.ts';
import type { RuleVersions, Store } from '../store/index.ts';
import type { Permission } from './access/index.ts';
import type { RequestRules, RuleCache } from './admission-policies/index.ts';
import type { RequestWebhooks } from './admission-webhooks/index.ts';
import {
  type ApiOptions,
  type ApiRequest,
  type Call,
  ReadAgainError,
  type ResourceRoute,
  type RuledWrite,
} from './http/index.ts';
import { type CustomTypes, storeWith } from './registry/index.ts';
import type { Caller } from './webhooks/index.ts';

/** The admission rules of a process. They are loaded with the first request of a table with rules. */
export interface ProcessRules {
  cache(): Promise<RuleCache>;
  caller(): Promise<Caller>;
  /** The versions of the rules that the last request found; undefined before the first one. */
  versions: RuleVersions | undefined;
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

/** Whether admission rules may decide writes of a type. They never see reviews. */
export function isDecided(type: ResourceType): boolean {
  return isStored(type) || type.kind === 'Binding';
}

/**
 * The store of a request that rules decide. If a webhook was asked inside a change, the change begins again with what is
 * stored now.
 */
export function readingAgain(given: Store, random: ReplayedRandom): Store {
  return storeWith(given, (store) => ({
    write: async (collection, name, change, options) => {
      let current = options;
      const begin = random.position();
      for (;;) {
        try {
          return await store.write(collection, name, change, current);
        } catch (error) {
          if (!(error instanceof ReadAgainError)) throw error;
          current = { ...options, known: undefined };
          random.replay(begin);
        }
      }
    },
  }));
}

/**
 * The randomness of a request that rules decide. A change that begins again draws the same values, so that it makes the
 * object that webhooks have decided: with the same addresses and ports.
 */
export class ReplayedRandom implements Random {
  readonly #random: Random;
  readonly #drawn: { readonly kind: string; readonly value: unknown }[] = [];
  #at = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  readonly uuid = () => this.#draw('uuid', () => this.#random.uuid());
  readonly fraction = () => this.#draw('fraction', () => this.#random.fraction());
  readonly suffix = (length: number) => this.#draw(`suffix ${length}`, () => this.#random.suffix(length));

  position(): number {
    return this.#at;
  }

  replay(from: number): void {
    this.#at = from;
  }

  /** A change that takes another course draws other kinds of values: those are new. */
  #draw<Value>(kind: string, draw: () => Value): Value {
    const kept = this.#drawn[this.#at];
    const used = kept?.kind === kind ? kept : { kind, value: draw() };
    this.#drawn[this.#at] = used;
    this.#at += 1;
    return used.value as Value;
  }
}

/** The admission policies and webhooks of one request. */
export class Deciding {
  readonly #asked: DecidingOptions;
  readonly #began: number;
  #versions: Promise<RuleVersions | undefined> | undefined;
  #rules: Promise<RequestRules> | undefined;
  #webhooks: Promise<RequestWebhooks> | undefined;
  /** Whether an object was not changed, because the process knew of no mutating webhooks. */
  #hasAssumed = false;

  constructor(asked: DecidingOptions) {
    this.#asked = asked;
    this.#began = asked.options.clock.now();
  }

  readonly decide: NonNullable<Call['decide']> = async (describe) => {
    const versions = await this.#exact();
    if (versions === undefined) return;
    if (this.#hasAssumed && isAny(versions, MUTATING)) throw new RestartError();
    const write = once(describe);
    if (arePolicies(versions)) await (await this.#openRules(versions)).decide(write);
    // The function that issues tokens calls no webhooks.
    if (this.#asked.route.subresource === 'token' || !areWebhooks(versions)) return;
    await (await this.#openWebhooks(versions)).validate(write);
  };

  /**
   * A create has read nothing yet when its object is built. A member of `system:masters` then assumes the versions that
   * the process knows, instead of a request to the table: `decide` finds the exact ones.
   */
  readonly mutate: NonNullable<Call['mutate']> = async (describe, complete) => {
    const { permission, options } = this.#asked;
    const write = await describe();
    const mayAssume =
      write.operation === 'CREATE' && permission === undefined && this.#versions === undefined;
    if (mayAssume && !isAny(options.rules.versions, MUTATING)) {
      this.#hasAssumed = true;
      return write.object;
    }
    const versions = await this.#exact();
    if (versions === undefined || !isAny(versions, MUTATING)) return write.object;
    return (await this.#openWebhooks(versions)).mutate(() => write, complete);
  };

  /**
   * Whether the verb must begin again: a webhook was asked outside a change, or the verb failed while it assumed that
   * there are no mutating webhooks, but there are.
   */
  async mustRestart(error: unknown): Promise<boolean> {
    if (error instanceof ReadAgainError) return true;
    if (!this.#hasAssumed) return false;
    this.#hasAssumed = false;
    return error instanceof RestartError || isAny(await this.#exact(), MUTATING);
  }

  /** The warnings and audit annotations of all rules that were asked. */
  async said(): Promise<Pick<RequestRules, 'warnings' | 'annotations'>> {
    const [rules, webhooks] = await Promise.all([this.#rules, this.#webhooks].map(settled));
    const notes = (webhooks as RequestWebhooks | undefined)?.notes;
    const policies = rules as RequestRules | undefined;
    return {
      warnings: [...(notes?.warnings ?? []), ...(policies?.warnings ?? [])],
      annotations: new Map([...Object.entries(notes?.annotations ?? {}), ...(policies?.annotations ?? [])]),
    };
  }

  /** The versions of the rules, from authorization or from the request's first read; undefined if no rule counts. */
  #exact(): Promise<RuleVersions | undefined> {
    const { store, permission, options } = this.#asked;
    this.#versions ??= store.ruleVersions(permission?.row).then((versions) => {
      options.rules.versions = versions ?? new Map();
      return versions;
    });
    return this.#versions;
  }

  #openRules(versions: RuleVersions): Promise<RequestRules> {
    const { options, ...asked } = this.#asked;
    this.#rules ??= Promise.all([import('./admission-policies/index.ts'), options.rules.cache()]).then(
      ([{ RequestRules }, cache]) => new RequestRules({ ...options, ...asked, cache, versions }),
    );
    return this.#rules;
  }

  #openWebhooks(versions: RuleVersions): Promise<RequestWebhooks> {
    const { options, ...asked } = this.#asked;
    const { rules, types } = options;
    const began = this.#began;
    const customTypes = async () => (await types.recent(asked.store, TIMING.definitionLook)).types;
    this.#webhooks ??= Promise.all([
      import('./admission-webhooks/index.ts'),
      rules.cache(),
      rules.caller(),
    ]).then(
      ([{ RequestWebhooks }, cache, caller]) =>
        new RequestWebhooks({ ...options, ...asked, began, cache, caller, versions, customTypes }),
    );
    return this.#webhooks;
  }
}

/** Ends a create that assumed that there are no mutating webhooks. */
class RestartError extends Error {
  override readonly name = 'RestartError';
}

const settled = (opened: Promise<unknown> | undefined) => opened?.catch(() => undefined);

const [POLICIES, BINDINGS, MUTATING, VALIDATING] = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
].map((resource) => collectionOf('admissionregistration.k8s.io', resource)) as [
  Collection,
  Collection,
  Collection,
  Collection,
];

/** Whether there was ever an object of a collection. */
const isAny = (versions: RuleVersions | undefined, collection: Collection) =>
  (versions?.get(collection) ?? 0) > 0;
/** Whether there was ever a policy, and ever a binding: without one of them, no policy decides. */
const arePolicies = (versions: RuleVersions | undefined) =>
  [POLICIES, BINDINGS].every((one) => isAny(versions, one));
const areWebhooks = (versions: RuleVersions | undefined) =>
  [MUTATING, VALIDATING].some((one) => isAny(versions, one));

/** Describes a write once: policies and webhooks ask for the same description. */
function once(describe: () => RuledWrite | Promise<RuledWrite>): () => Promise<RuledWrite> {
  let described: Promise<RuledWrite> | undefined;
  return () => {
    described ??= Promise.resolve(describe());
    return described;
  };
}
