import { type Collection, collectionOf, type JsonObject, objectAt, objectsIn } from '../../json/index.ts';
import {
  type BoundPolicy,
  type CompiledPolicy,
  compileConditions,
  compilePolicy,
  type Expressions,
  loadExpressions,
  type MatchConditions,
} from '../../kubernetes/admission-policies/index.ts';
import type { RuleVersions, Store } from '../../store/index.ts';
import { JournalCache, type Step } from '../journal-cache/index.ts';
import { type Webhook, webhooksIn } from '../webhooks/index.ts';

const GROUP = 'admissionregistration.k8s.io';

/** Rules that change objects, and rules that admit or deny them. */
export type RuleKind = 'mutating' | 'validating';

const KINDS: readonly RuleKind[] = ['mutating', 'validating'];
const POLICIES = collectionsOf('admissionpolicies');
const BINDINGS = collectionsOf('admissionpolicybindings');
const WEBHOOKS = collectionsOf('webhookconfigurations');

function collectionsOf(resource: string): Readonly<Record<RuleKind, Collection>> {
  return {
    mutating: collectionOf(GROUP, `mutating${resource}`),
    validating: collectionOf(GROUP, `validating${resource}`),
  };
}

/** A webhook with its compiled conditions; undefined if it has none. */
export interface RuledWebhook extends Webhook {
  readonly conditions: MatchConditions | undefined;
}

/** The policies, bindings and webhooks at one moment. */
class RuleSet {
  readonly #expressions: Expressions;
  readonly #policies = {
    mutating: new Map<string, CompiledPolicy>(),
    validating: new Map<string, CompiledPolicy>(),
  };
  readonly #bindings = { mutating: new Map<string, JsonObject>(), validating: new Map<string, JsonObject>() };
  readonly #configurations = {
    mutating: new Map<string, JsonObject>(),
    validating: new Map<string, JsonObject>(),
  };
  /** The webhooks of each kind; absent after a change. */
  #webhooks: Partial<Record<RuleKind, readonly RuledWebhook[]>> = {};
  /** The policies of each kind with their bindings; absent after a change. */
  #bound: Partial<Record<RuleKind, readonly BoundPolicy[]>> = {};

  constructor(expressions: Expressions) {
    this.#expressions = expressions;
  }

  apply(steps: readonly Step[]): void {
    for (const { collection, name, body } of steps) {
      for (const kind of KINDS) {
        if (collection === POLICIES[kind]) {
          const policy = body && compilePolicy(body, this.#expressions);
          put(this.#policies[kind], name.name, policy);
        }
        if (collection === BINDINGS[kind]) put(this.#bindings[kind], name.name, body);
        if (collection === WEBHOOKS[kind]) put(this.#configurations[kind], name.name, body);
      }
    }
    if (steps.length === 0) return;
    this.#bound = {};
    this.#webhooks = {};
  }

  /** The policies that a binding names, and their bindings, both in the order of their names. */
  bound(kind: RuleKind): readonly BoundPolicy[] {
    this.#bound[kind] ??= this.#bind(kind);
    return this.#bound[kind];
  }

  /** The webhooks of one kind, in the order in which they are asked. */
  webhooks(kind: RuleKind): readonly RuledWebhook[] {
    this.#webhooks[kind] ??= webhooksIn([...this.#configurations[kind].values()]).map((webhook) => ({
      ...webhook,
      conditions: hasConditions(webhook) ? compileConditions(webhook.spec, this.#expressions) : undefined,
    }));
    return this.#webhooks[kind];
  }

  #bind(kind: RuleKind): readonly BoundPolicy[] {
    const bindings = Map.groupBy(inOrder(this.#bindings[kind]), (binding) =>
      String(objectAt(binding.spec).policyName),
    );
    const names = [...this.#policies[kind].keys()].toSorted();
    return names.flatMap((name) => {
      const [policy, own] = [this.#policies[kind].get(name), bindings.get(name)];
      return policy === undefined || own === undefined ? [] : [{ policy, bindings: own }];
    });
  }
}

const hasConditions = ({ spec }: Webhook) => objectsIn(spec.matchConditions).length > 0;

function put<Value>(all: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) {
    all.delete(name);
  } else {
    all.set(name, value);
  }
}

function inOrder(objects: ReadonlyMap<string, JsonObject>): JsonObject[] {
  return [...objects].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object);
}

/**
 * Caches the admission policies, their bindings and the webhooks between the requests of one process ({@link JournalCache}). A policy that
 * was acknowledged before a request began decides that request, and one that was deleted before does not.
 */
export class RuleCache {
  readonly #expressions: Expressions;
  readonly #cache: JournalCache<RuleSet>;

  private constructor(expressions: Expressions) {
    this.#expressions = expressions;
    this.#cache = new JournalCache<RuleSet>({
      collections: [POLICIES, BINDINGS, WEBHOOKS].flatMap((each) => Object.values(each)),
      isWhole: () => true,
      empty: () => new RuleSet(expressions),
      apply: (rules, steps) => rules.apply(steps),
    });
  }

  static async open(): Promise<RuleCache> {
    return new RuleCache(await loadExpressions());
  }

  /** Resets the work limit of regular expressions. Call it before the policies decide a write. */
  refill(): void {
    this.#expressions.refill();
  }

  /** The policies with bindings, at `versions` or later. */
  async bound(store: Store, versions: RuleVersions, kind: RuleKind): Promise<readonly BoundPolicy[]> {
    return (await this.#cache.current(store, versions)).known.bound(kind);
  }

  /** The webhooks of one kind, at `versions` or later. If there never was a configuration, nothing is read. */
  async webhooks(store: Store, versions: RuleVersions, kind: RuleKind): Promise<readonly RuledWebhook[]> {
    if ((versions.get(WEBHOOKS[kind]) ?? 0) === 0) return [];
    return (await this.#cache.current(store, versions)).known.webhooks(kind);
  }
}
