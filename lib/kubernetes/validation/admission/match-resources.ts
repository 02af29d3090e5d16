import type { JsonObject } from '../../../json/index.ts';
import {
  child,
  duplicate,
  index,
  invalid,
  invalidPrinted,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { goTexts } from '../go-values.ts';
import { labelSelector } from '../label-selectors.ts';
import { nameErrors } from '../names.ts';
import { isThere, objectsOf, textsOf } from '../reading.ts';
import { choice, neededChoice } from './choices.ts';

const MATCH_POLICIES = ['Equivalent', 'Exact'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/** Checks which requests match. Follows k8s.io/kubernetes/pkg/apis/admissionregistration/validation. */
export function* matchResources(path: string, match: JsonObject): Errors {
  yield* neededChoice(child(path, 'matchPolicy'), match.matchPolicy, MATCH_POLICIES);
  for (const field of ['namespaceSelector', 'objectSelector']) {
    if (!isThere(match[field])) yield required(child(path, field));
    yield* labelSelector(child(path, field), match[field]);
  }
  for (const field of ['resourceRules', 'excludeResourceRules']) {
    for (const [at, rule] of objectsOf(match[field]).entries()) {
      yield* namedRule(index(child(path, field), at), rule);
    }
  }
}

function* namedRule(path: string, rule: JsonObject): Errors {
  const names = textsOf(rule.resourceNames);
  for (const [at, name] of names.entries()) {
    const own = index(child(path, 'resourceNames'), at);
    yield* invalidFor(own, name, nameErrors('path', name));
    if (names.indexOf(name) < at) yield duplicate(own, name);
  }
  yield* ruleWithOperations(path, rule);
}

/** Checks one rule of a policy or webhook, without names. */
export function* ruleWithOperations(path: string, rule: JsonObject): Errors {
  yield* operations(child(path, 'operations'), textsOf(rule.operations));
  yield* someOf(child(path, 'apiGroups'), textsOf(rule.apiGroups), 'API groups');
  const versions = textsOf(rule.apiVersions);
  yield* someOf(child(path, 'apiVersions'), versions, 'API versions');
  for (const [at, version] of versions.entries()) {
    if (version === '') yield required(index(child(path, 'apiVersions'), at));
  }
  yield* resources(child(path, 'resources'), textsOf(rule.resources));
  yield* choice(child(path, 'scope'), rule.scope, SCOPES);
}

function* operations(path: string, given: readonly string[]): Errors {
  if (given.length === 0) yield required(path);
  if (given.length > 1 && given.includes('*')) {
    const printed = goTexts([...given], 'admissionregistration.OperationType');
    yield invalidPrinted(path, printed, "if '*' is present, must not specify other operations");
  }
  for (const [at, operation] of given.entries()) {
    if (!OPERATIONS.includes(operation)) yield notSupported(index(path, at), operation, OPERATIONS);
  }
}

/** Checks that there is at least one value, and that `*` is the only one. */
function* someOf(path: string, given: readonly string[], what: string): Errors {
  if (given.length === 0) yield required(path);
  if (given.length > 1 && given.includes('*')) {
    yield invalidPrinted(path, goTexts([...given]), `if '*' is present, must not specify other ${what}`);
  }
}

/** Checks resources: `pods`, `pods/status`, `pods/*`, `*\/scale`, `*` and `*\/*`. None of them may cover another. */
function* resources(path: string, given: readonly string[]): Errors {
  if (given.length === 0) yield required(path);
  const covered = new Set<string>();
  for (const [at, resource] of given.entries()) {
    if (resource === '') yield required(index(path, at));
    const slash = resource.indexOf('/');
    if (slash === -1) continue;
    const all = [`${resource.slice(0, slash)}/*`, `*${resource.slice(slash)}`];
    for (const one of all.filter((candidate) => covered.has(candidate))) {
      yield invalid(index(path, at), resource, `if '${one}' is present, must not specify ${resource}`);
    }
    if (all.includes(resource)) covered.add(resource);
  }
  if (given.length > 1 && given.includes('*/*')) {
    yield invalidPrinted(path, goTexts([...given]), "if '*/*' is present, must not specify other resources");
  }
  // Like upstream, which considers only the last of them.
  const last = given.findLast((resource) => resource !== '' && !resource.includes('/'));
  if (given.includes('*') && last !== '*') {
    const detail = "if '*' is present, must not specify other resources without subresources";
    yield invalidPrinted(path, goTexts([...given]), detail);
  }
}
