import { isJsonObject, type JsonObject, metadataOf } from '../../json/index.ts';
import type { AdmissionAttributes, GroupVersionKind } from '../../kubernetes/admission-match/index.ts';
import {
  type BoundPolicy,
  ConfigurationError,
  type Invocation,
  invocationsOf,
  type Judged,
  type ParamQuery,
  type PolicyFacts,
} from '../../kubernetes/admission-policies/index.ts';
import type { Policy } from '../../kubernetes/rbac/index.ts';
import {
  apiVersionOf,
  isBuiltinGroup,
  type ResourceType,
  resourceTypes,
} from '../../kubernetes/resource-types/index.ts';
import { TIMING } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';
import { type RuleVersions, type Store, stateOf } from '../../store/index.ts';
import type { Permission } from '../access/index.ts';
import type { ApiOptions, ApiRequest, ResourceRoute, RuledWrite } from '../http/index.ts';
import { converterBetween } from '../objects/index.ts';
import { type CustomTypes, showOf, viewOf } from '../registry/index.ts';
import { ApiError } from '../status/index.ts';
import { type Equivalent, equivalentsOf } from './attributes.ts';
import { authorizerOf } from './authorizer.ts';
import { LazyNamespace } from './lazy-namespace.ts';
import { groupIn, type Params, paramKindOf, readParams } from './params.ts';
import type { RuleCache } from './rule-cache.ts';

export interface RequestRulesOptions extends Pick<ApiOptions, 'clock' | 'watches' | 'metrics' | 'logger'> {
  readonly cache: RuleCache;
  readonly types: CustomTypes;
  /** The request's store, without the caller's scope. */
  readonly store: Store;
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
  /** The caller's; undefined for members of `system:masters`. */
  readonly permission: Permission | undefined;
  /** The versions that the request has read. */
  readonly versions: RuleVersions;
  /** The current roles and bindings. */
  policy(): Promise<Policy>;
}

/** The policies that match a write, and what they need to judge it. */
export interface Prepared {
  readonly invocations: readonly Invocation[];
  readonly judged: Judged;
  /** The types of the matched kinds that serve the same objects in another version. */
  readonly equivalents: readonly Equivalent[];
}

/** Finds the policies that match the writes of one request, and reads what they need. */
export class Judging {
  readonly #options: RequestRulesOptions;

  constructor(options: RequestRulesOptions) {
    this.#options = options;
  }

  /** Undefined if no policy matches. */
  async prepared(
    bound: readonly BoundPolicy[],
    attributes: AdmissionAttributes,
    write: RuledWrite,
  ): Promise<Prepared | undefined> {
    const { route } = this.#options;
    const custom = await this.#customTypes(bound);
    const equivalents = equivalentsOf(route, custom);
    const types = [...resourceTypes, ...custom];
    const namespace = new LazyNamespace(this.#options.store, attributes.namespace, write.namespace);
    const facts = (labels: PolicyFacts['namespaceLabels']): PolicyFacts => ({
      namespaceLabels: labels,
      equivalents,
      scopeOf: (kind) => typeOf(types, kind)?.scope,
    });
    const invocations = await matching(bound, attributes, facts, namespace);
    if (invocations.length === 0) return undefined;
    const params = await this.#paramsOf(invocations, types);
    const matched = equivalentsIn(equivalents, invocations);
    const judged: Judged = {
      attributes,
      namespaceObject: mention(invocations, 'namespaceObject') ? await namespace.object(route) : undefined,
      paramsOf: (query) => {
        const found = params.get(JSON.stringify(query));
        if (found === undefined) throw new Error('the parameters were not read');
        if (found instanceof ConfigurationError) throw found;
        return found;
      },
      authorizer: await this.#authorizer(invocations),
      convert: await convertersOf(route.type, matched),
      now: () => this.#options.clock.now(),
    };
    this.#options.cache.refill();
    return { invocations, judged, equivalents: matched };
  }

  /** The custom types, where the write or a parameter may be of one. */
  async #customTypes(bound: readonly BoundPolicy[]): Promise<readonly ResourceType[]> {
    const { types, store, route } = this.#options;
    const params = bound
      .map(({ policy }) => paramKindOf(policy.object))
      .filter((paramKind) => !isBuiltinGroup(groupIn(paramKind)));
    if (route.type.custom === undefined && params.length === 0) return [];
    const recent = (await types.recent(store, TIMING.definitionLook)).types;
    // The definition of a parameter may be newer than the types that this process knows.
    const isMissing = params.some((paramKind) => !recent.some((type) => isOfKind(type, paramKind)));
    return isMissing ? (await types.current(store)).types : recent;
  }

  async #paramsOf(
    invocations: readonly Invocation[],
    types: readonly ResourceType[],
  ): Promise<ReadonlyMap<string, Params>> {
    const queries = invocations.flatMap((one) =>
      'params' in one && one.params !== undefined ? [one.params] : [],
    );
    const distinct = new Map(queries.map((query) => [JSON.stringify(query), query]));
    const read = [...distinct].map(async ([key, query]) => [key, await this.#read(query, types)] as const);
    return new Map(await Promise.all(read));
  }

  async #read(query: ParamQuery, types: readonly ResourceType[]): Promise<Params> {
    const type = typeOf(types, query.kind);
    if (type === undefined) return new ConfigurationError(`no kind ${query.kind.kind} is served`);
    const { store } = await viewOf(this.#options, { ...this.#options.route, type });
    return readParams(query, { store, type });
  }

  async #authorizer(invocations: readonly Invocation[]): Promise<Judged['authorizer']> {
    if (mention(invocations, 'authorizer')) {
      return authorizerOf(await this.#options.policy(), this.#options.permission);
    }
    return {
      check: () => {
        throw new Error('no expression names the authorizer');
      },
    };
  }
}

/**
 * The policies that match. The namespace is read only if a policy that matches otherwise selects namespaces: without
 * labels such a policy cannot say whether it matches.
 */
async function matching(
  bound: readonly BoundPolicy[],
  attributes: AdmissionAttributes,
  facts: (labels: PolicyFacts['namespaceLabels']) => PolicyFacts,
  namespace: LazyNamespace,
): Promise<readonly Invocation[]> {
  const { oldObject, resource } = attributes;
  if (resource.group === '' && resource.resource === 'namespaces') {
    return invocationsOf(bound, attributes, facts(labelsIn(oldObject)));
  }
  const known = namespace.known?.labels;
  const invocations = invocationsOf(bound, attributes, facts(known));
  const isUnsure = known === undefined && invocations.some((one) => 'error' in one);
  if (!isUnsure || attributes.namespace === '') return invocations;
  return invocationsOf(bound, attributes, facts((await namespace.state())?.labels));
}

function typeOf(types: readonly ResourceType[], kind: GroupVersionKind): ResourceType | undefined {
  return types.find(
    (type) => type.group === kind.group && type.version === kind.version && type.kind === kind.kind,
  );
}

/** Whether an expression of a policy may use a name: its text has it. */
function mention(invocations: readonly Invocation[], name: string): boolean {
  return invocations.some(({ policy }) => JSON.stringify(policy.object).includes(name));
}

const isOfKind = (type: ResourceType, { apiVersion, kind }: JsonObject): boolean =>
  apiVersionOf(type) === apiVersion && type.kind === kind;

function labelsIn(object: JsonObject | undefined): Labels | undefined {
  if (object === undefined) return undefined;
  const { labels } = metadataOf(object);
  return isJsonObject(labels) ? (labels as Labels) : {};
}

/** The types of the kinds that rules matched in place of the kind of the request. */
function equivalentsIn(
  equivalents: readonly Equivalent[],
  invocations: readonly Invocation[],
): readonly Equivalent[] {
  const matched = invocations.flatMap((one) => ('matchedAs' in one ? [keyOf(one.matchedAs.kind)] : []));
  return equivalents.filter(({ kind }) => matched.includes(keyOf(kind)));
}

/** The conversion of objects to the kinds that rules matched in place of the kind of the request. */
async function convertersOf(
  type: ResourceType,
  equivalents: readonly Equivalent[],
): Promise<Judged['convert']> {
  const made = equivalents.map(async (other) => [keyOf(other.kind), await converterTo(type, other)] as const);
  const converters = new Map(await Promise.all(made));
  return (object, kind) => {
    try {
      const convert = converters.get(keyOf(kind));
      if (convert !== undefined) return convert(object);
    } catch (error) {
      if (error instanceof ApiError) throw new ConfigurationError(error.message);
      throw error;
    }
    throw new ConfigurationError(`${type.kind} cannot be converted to ${keyOf(kind)}`);
  };
}

/** The conversion of objects of a type to another that serves the same objects. */
export async function converterTo(
  type: ResourceType,
  { type: other }: Pick<Equivalent, 'type'>,
): Promise<(object: JsonObject) => JsonObject> {
  if (type.custom === undefined) return converterBetween(type, other);
  const show = await showOf(other);
  return (object) => show(stateOf({ namespace: '', name: '' }, 0, object)).body;
}

export const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

/** Whether an expression took too much time: the policy has not decided. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TimeExceededError';

export const tooSlow = (): ApiError =>
  new ApiError(
    500,
    'InternalError',
    'Internal error occurred: the expressions of admission rules took too long; nothing was written',
  );
