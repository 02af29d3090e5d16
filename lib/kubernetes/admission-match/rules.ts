import { type JsonObject, type JsonValue, metadataOf } from '../../json/index.ts';
import { fromLabelSelector, type Labels, type Selector, SelectorError } from '../../selectors/index.ts';
import {
  type AdmissionAttributes,
  type GroupVersionResource,
  MatchError,
  type MatchedAs,
  type MatchFacts,
} from './attributes.ts';

/**
 * Returns the resource and kind under which `matchConstraints` of a policy, or `matchResources` of a binding, match a
 * write; undefined if they do not. Without rules, every resource matches. Follows
 * k8s.io/apiserver/pkg/admission/plugin/policy/matching.
 *
 * @throws {MatchError}
 */
export function matchResources(
  constraints: JsonObject,
  attributes: AdmissionAttributes,
  facts: MatchFacts,
): MatchedAs | undefined {
  const selected = select(constraints, attributes, facts);
  if (selected === undefined) return undefined;
  const policy = constraints.matchPolicy;
  const excluded = matchRules(objectsOf(constraints.excludeResourceRules), policy, attributes, facts);
  if (excluded !== undefined) return undefined;
  const rules = objectsOf(constraints.resourceRules);
  const matched = rules.length === 0 ? asRequested(attributes) : matchRules(rules, policy, attributes, facts);
  if (matched !== undefined) selected.refuse();
  return matched;
}

/**
 * Returns the resource and kind under which the selectors and `rules` of one webhook match a write; undefined if they
 * do not. Follows ShouldCallHook of k8s.io/apiserver/pkg/admission/plugin/webhook/generic. Match conditions are
 * evaluated apart.
 *
 * @throws {MatchError}
 */
export function matchWebhook(
  webhook: JsonObject,
  attributes: AdmissionAttributes,
  facts: MatchFacts,
): MatchedAs | undefined {
  const selected = select(webhook, attributes, facts);
  if (selected === undefined) return undefined;
  const matched = matchRules(objectsOf(webhook.rules), webhook.matchPolicy, attributes, facts);
  if (matched !== undefined) selected.refuse();
  return matched;
}

function asRequested({ resource, kind }: AdmissionAttributes): MatchedAs {
  return { resource, kind };
}

/** A write that the selectors match, or of which they cannot say so. `refuse` throws in the second case. */
interface Selected {
  readonly refuse: () => void;
}

/** A selector that cannot decide matters only if the rules match. */
function select(owner: JsonObject, attributes: AdmissionAttributes, facts: MatchFacts): Selected | undefined {
  const errors: MatchError[] = [];
  for (const matches of [matchesNamespace, matchesObject]) {
    try {
      if (!matches(owner, attributes, facts)) return undefined;
    } catch (error) {
      if (!(error instanceof MatchError)) throw error;
      errors.push(error);
    }
  }
  return {
    refuse: () => {
      if (errors[0] !== undefined) throw errors[0];
    },
  };
}

function matchesNamespace(
  { namespaceSelector }: JsonObject,
  attributes: AdmissionAttributes,
  { namespaceLabels }: MatchFacts,
): boolean {
  const { resource, subresource, namespace, operation, object } = attributes;
  const isNamespace = resource.resource === 'namespaces';
  if (namespace === '' && !isNamespace) return true;
  const selector = selectorOf(namespaceSelector);
  if (selector.isEmpty) return true;
  const hasNewLabels = isNamespace && subresource === '' && ['CREATE', 'UPDATE'].includes(operation);
  const labels = hasNewLabels ? labelsOf(object) : namespaceLabels;
  if (labels === undefined) throw new MatchError(`namespaces ${JSON.stringify(namespace)} not found`);
  return selector.matches(labels);
}

/** The options of a connection cannot have labels, so no selector matches them but the empty one. */
function matchesObject(
  { objectSelector }: JsonObject,
  { operation, object, oldObject }: AdmissionAttributes,
): boolean {
  const selector = selectorOf(objectSelector);
  if (selector.isEmpty) return true;
  if (operation === 'CONNECT') return false;
  return [object, oldObject].some((each) => each !== undefined && selector.matches(labelsOf(each) ?? {}));
}

function selectorOf(value: JsonValue | undefined): Selector {
  try {
    return fromLabelSelector(value);
  } catch (error) {
    if (error instanceof SelectorError) throw new MatchError(error.message);
    throw error;
  }
}

function labelsOf(object: JsonObject | undefined): Labels | undefined {
  if (object === undefined) return undefined;
  return (metadataOf(object).labels ?? {}) as Labels;
}

function matchRules(
  rules: readonly JsonObject[],
  matchPolicy: JsonValue | undefined,
  attributes: AdmissionAttributes,
  { equivalents }: MatchFacts,
): MatchedAs | undefined {
  const names = (rule: JsonObject) => namesMatch(rule, attributes.name);
  const isRequested = rules.some((rule) => ruleMatches(rule, attributes, attributes.resource) && names(rule));
  if (isRequested) return asRequested(attributes);
  if (matchPolicy !== 'Equivalent') return undefined;
  const others = equivalents.filter(({ resource }) => !isSame(resource, attributes.resource));
  for (const rule of rules.filter(names)) {
    const found = others.find(({ resource }) => ruleMatches(rule, attributes, resource));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSame(one: GroupVersionResource, other: GroupVersionResource): boolean {
  return one.group === other.group && one.version === other.version && one.resource === other.resource;
}

function namesMatch({ resourceNames }: JsonObject, name: string): boolean {
  const names = textsOf(resourceNames);
  return names.length === 0 || names.includes(name);
}

/** Follows k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules. */
function ruleMatches(
  rule: JsonObject,
  attributes: AdmissionAttributes,
  resource: GroupVersionResource,
): boolean {
  const includes = (values: JsonValue | undefined, value: string) =>
    textsOf(values).some((each) => each === '*' || each === value);
  return (
    scopeMatches(rule.scope, attributes.namespace, resource) &&
    includes(rule.operations, attributes.operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    textsOf(rule.resources).some((each) => resourceMatches(each, resource.resource, attributes.subresource))
  );
}

function scopeMatches(
  scope: JsonValue | undefined,
  namespace: string,
  resource: GroupVersionResource,
): boolean {
  const isClusterScoped =
    namespace === '' || isSame(resource, { group: '', version: 'v1', resource: 'namespaces' });
  if (scope === undefined || scope === null || scope === '*') return true;
  if (scope === 'Cluster') return isClusterScoped;
  return scope === 'Namespaced' && !isClusterScoped;
}

/** `pods` and `*` match no subresource; `pods/*` and `*\/*` match all, and none. */
function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [name, below] = slash === -1 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (name === '*' || name === resource) && (below === '*' || below === subresource);
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
