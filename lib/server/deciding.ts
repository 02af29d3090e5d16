import { type Collection, collectionOf } from '../json/index.ts';
import { isStored, type ResourceType } from '../kubernetes/resource-types/index.ts';
import type { Random } from '../platform/index.ts';
import { RULE_COLLECTIONS, type RuleVersions, type Store } from '../store/index.ts';
import { type Call, ReadAgainError } from './http/index.ts';
import type { DecidingOptions, OpenedRules, Said } from './opened-rules.ts';
import { storeWith } from './registry/index.ts';

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
      const replay = random.mark();
      for (;;) {
        try {
          return await store.write(collection, name, change, current);
        } catch (error) {
          if (!(error instanceof ReadAgainError)) throw error;
          current = { ...options, known: undefined };
          replay();
        }
      }
    },
  }));
}

/** Randomness that can be drawn again. */
export interface ReplayedRandom extends Random {
  /** Returns a function, after whose call the values from now on are drawn again. */
  mark(): () => void;
}

/**
 * The randomness of a request that rules decide. A change that begins again draws the same values, so that it makes the
 * object that webhooks have decided: with the same addresses and ports. If it takes another course, it draws other kinds
 * of values; those are new.
 */
export function replayedRandom(random: Random): ReplayedRandom {
  const drawn: { readonly kind: string; readonly value: unknown }[] = [];
  let at = 0;
  const draw = <Value>(kind: string, make: () => Value): Value => {
    const kept = drawn[at];
    const used = kept?.kind === kind ? kept : { kind, value: make() };
    drawn[at] = used;
    at += 1;
    return used.value as Value;
  };
  return {
    uuid: () => draw('uuid', () => random.uuid()),
    fraction: () => draw('fraction', () => random.fraction()),
    suffix: (length) => draw(`suffix ${length}`, () => random.suffix(length)),
    mark: () => {
      const begin = at;
      return () => {
        at = begin;
      };
    },
  };
}

/** The admission rules of one request. */
export class Deciding {
  readonly #asked: DecidingOptions;
  readonly #began: number;
  #versions: Promise<RuleVersions | undefined> | undefined;
  #opened: Promise<OpenedRules> | undefined;
  /** Whether an object was not changed, because the process knew of no rules that change objects. */
  #hasAssumed = false;

  constructor(asked: DecidingOptions) {
    this.#asked = asked;
    this.#began = asked.options.clock.now();
  }

  readonly decide: NonNullable<Call['decide']> = async (describe) => {
    const versions = await this.#exact();
    if (!isAny(versions)) return;
    if (this.#hasAssumed && mayMutate(versions)) throw new RestartError();
    await (await this.#open(versions)).decide(describe);
  };

  /**
   * A create has read nothing yet when its object is built. A member of `system:masters` then assumes the versions that
   * the process knows, instead of a request to the table: `decide` finds the exact ones.
   */
  readonly mutate: NonNullable<Call['mutate']> = async (operation, describe, complete) => {
    const { permission, options } = this.#asked;
    const mayAssume = operation === 'CREATE' && !permission && !this.#versions;
    if (mayAssume && !mayMutate(options.rules.versions)) {
      this.#hasAssumed = true;
      return undefined;
    }
    const versions = await this.#exact();
    if (!mayMutate(versions)) return undefined;
    return (await this.#open(versions)).mutate(describe, complete);
  };

  /**
   * Whether the verb must begin again: a webhook was asked outside a change, or the verb failed while it assumed that
   * no rules change objects, but there are some.
   */
  async mustRestart(error: unknown): Promise<boolean> {
    if (error instanceof ReadAgainError) return true;
    if (!this.#hasAssumed) return false;
    this.#hasAssumed = false;
    return error instanceof RestartError || mayMutate(await this.#exact());
  }

  /** The warnings and audit annotations of all rules that were asked; undefined if there are none. */
  async said(): Promise<Said | undefined> {
    return this.#opened?.then((opened) => opened.said()).catch(() => undefined);
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

  #open(versions: RuleVersions): Promise<OpenedRules> {
    this.#opened ??= import('./opened-rules.ts').then(
      ({ OpenedRules }) => new OpenedRules({ ...this.#asked, versions, began: this.#began }),
    );
    return this.#opened;
  }
}

/** Ends a create that assumed that no rules change objects. */
class RestartError extends Error {}

/** A policy changes nothing without a binding. */
const MUTATING: readonly Collection[] = ['admissionpolicybindings', 'webhookconfigurations'].map((resource) =>
  collectionOf('admissionregistration.k8s.io', `mutating${resource}`),
);

/** Whether there was ever an admission rule. */
const isAny = (versions: RuleVersions | undefined): versions is RuleVersions =>
  isWritten(RULE_COLLECTIONS, versions);
const mayMutate = (versions: RuleVersions | undefined): versions is RuleVersions =>
  isWritten(MUTATING, versions);
const isWritten = (collections: readonly Collection[], versions: RuleVersions | undefined) =>
  collections.some((collection) => (versions?.get(collection) ?? 0) > 0);
