import { type JsonObject, metadataOf } from '../../json/index.ts';
import {
  type AdmissionAttributes,
  MatchError,
  type MatchedAs,
  matchWebhook,
} from '../../kubernetes/admission-match/index.ts';
import type { Policy } from '../../kubernetes/rbac/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import type { Permission } from '../access/index.ts';
import {
  authorizerOf,
  converterTo,
  type Equivalent,
  equivalentsOf,
  isTooSlow,
  LazyNamespace,
  type RuledWebhook,
  tooSlow,
} from '../admission-policies/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import { SYSTEM_NAMESPACES } from '../objects/index.ts';
import { ApiError, forbidden } from '../status/index.ts';
import type { Matcher } from '../webhooks/index.ts';

export interface MatcherOptions {
  readonly store: Store;
  readonly route: ResourceRoute;
  readonly clock: Clock;
  readonly permission: Permission | undefined;
  /** The current roles and bindings. */
  policy(): Promise<Policy>;
  /** All custom types, for their other versions. */
  customTypes(): Promise<readonly ResourceRoute['type'][]>;
  /** The namespace's state, if it was read after the request began. */
  readonly namespace: ObjectState | undefined;
}

/** Matches the webhooks of one write. */
export class WebhookMatcher implements Matcher {
  readonly #options: MatcherOptions;
  readonly #namespace: LazyNamespace;
  #equivalents: readonly Equivalent[] | undefined;
  #hasMatched = false;

  constructor(options: MatcherOptions, { namespace }: AdmissionAttributes) {
    this.#options = options;
    this.#namespace = new LazyNamespace(options.store, namespace, options.namespace);
  }

  /** Whether any webhook matched so far. */
  get hasMatched(): boolean {
    return this.#hasMatched;
  }

  async match(webhook: RuledWebhook, attributes: AdmissionAttributes): Promise<MatchedAs | undefined> {
    const matched = await this.#matchRules(webhook, attributes);
    if (matched === undefined) return undefined;
    if (!(await this.#meetsConditions(webhook, attributes, matched))) return undefined;
    this.#hasMatched = true;
    return matched;
  }

  async shown(attributes: AdmissionAttributes, { kind }: MatchedAs): Promise<AdmissionAttributes> {
    const { object, oldObject } = attributes;
    const convert = await this.#converterTo(kind, attributes);
    return { ...attributes, object: object && convert(object), oldObject: oldObject && convert(oldObject) };
  }

  async back(object: JsonObject, { kind, object: own }: AdmissionAttributes): Promise<JsonObject> {
    const { apiVersion, kind: named } = object;
    if (own === undefined || (apiVersion === own.apiVersion && named === kind.kind)) return object;
    const equivalent = (await this.#others()).find(
      ({ kind: other }) => versionOf(other) === apiVersion && other.kind === named,
    );
    if (equivalent === undefined) throw cannotConvert(`${apiVersion}, Kind=${named}`);
    return (await converterTo(equivalent.type, { type: this.#options.route.type }))(object);
  }

  async #matchRules(webhook: RuledWebhook, attributes: AdmissionAttributes): Promise<MatchedAs | undefined> {
    const equivalents = await this.#others();
    const match = (namespaceLabels: Labels | undefined) =>
      matchWebhook(webhook.spec, attributes, { namespaceLabels, equivalents });
    const isNamespace = attributes.resource.group === '' && attributes.resource.resource === 'namespaces';
    const own = isNamespace ? labelsIn(attributes.oldObject) : this.#namespace.known?.labels;
    try {
      return match(own);
    } catch (error) {
      if (!(error instanceof MatchError)) throw error;
      if (own !== undefined || isNamespace || attributes.namespace === '') throw undecided(error);
    }
    try {
      return match((await this.#namespace.state())?.labels ?? systemLabels(attributes.namespace));
    } catch (error) {
      throw error instanceof MatchError ? undecided(error) : error;
    }
  }

  async #meetsConditions(
    { conditions, spec }: RuledWebhook,
    attributes: AdmissionAttributes,
    matched: MatchedAs,
  ): Promise<boolean> {
    if (conditions === undefined) return true;
    const { clock, policy, permission, route } = this.#options;
    const convert = await this.#converterTo(matched.kind, attributes);
    const authorizer = JSON.stringify(spec.matchConditions).includes('authorizer')
      ? authorizerOf(await policy(), permission)
      : UNASKED;
    const judged = { attributes, authorizer, convert, now: () => clock.now() };
    try {
      const result = conditions.evaluate(judged, matched);
      if ('matches' in result) return result.matches;
      throw forbidden(route.type, attributes.name, result.error);
    } catch (error) {
      throw isTooSlow(error) ? tooSlow() : error;
    }
  }

  async #converterTo(
    kind: MatchedAs['kind'],
    { kind: own }: AdmissionAttributes,
  ): Promise<(object: JsonObject) => JsonObject> {
    if (versionOf(kind) === versionOf(own) && kind.kind === own.kind) return (object) => object;
    const other = (await this.#others()).find(
      (one) => versionOf(one.kind) === versionOf(kind) && one.kind.kind === kind.kind,
    );
    if (other === undefined) throw cannotConvert(`${versionOf(kind)}, Kind=${kind.kind}`);
    return converterTo(this.#options.route.type, other);
  }

  async #others(): Promise<readonly Equivalent[]> {
    const { route, customTypes } = this.#options;
    this.#equivalents ??= equivalentsOf(route, route.type.custom === undefined ? [] : await customTypes());
    return this.#equivalents;
  }
}

/** The labels of a system namespace that does not exist yet: the write creates it. */
function systemLabels(name: string): Labels | undefined {
  return SYSTEM_NAMESPACES.includes(name) ? { 'kubernetes.io/metadata.name': name } : undefined;
}

const UNASKED = {
  check: () => {
    throw new Error('no expression names the authorizer');
  },
};

const versionOf = ({ group, version }: { group: string; version: string }) =>
  group === '' ? version : `${group}/${version}`;

function labelsIn(object: JsonObject | undefined): Labels | undefined {
  return object === undefined ? undefined : ((metadataOf(object).labels ?? {}) as Labels);
}

const cannotConvert = (kind: string) =>
  new ApiError(500, 'InternalError', `Internal error occurred: unable to convert to ${kind}`);

/** The error of selectors that cannot decide whether a webhook is asked. */
const undecided = ({ message }: MatchError) =>
  new ApiError(500, 'InternalError', `Internal error occurred: ${message}`);
