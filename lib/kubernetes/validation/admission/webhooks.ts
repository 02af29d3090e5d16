import { parseUrl, type ReadUrl, UrlError } from '../../../cel/libraries/index.ts';
import { type JsonObject, jsonEquals, objectAt } from '../../../json/index.ts';
import { dns1035LabelErrors, dns1123SubdomainErrors, quote } from '../../../selectors/index.ts';
import type { Expressions } from '../../admission-policies/index.ts';
import { NewExpressions } from '../../admission-policies/new-expressions.ts';
import { child, duplicate, index, invalid, invalidPrinted, required } from '../../field-errors/index.ts';
import { type Errors, invalidFor, portNumberErrors } from '../errors.ts';
import { goTexts } from '../go-values.ts';
import { labelSelector } from '../label-selectors.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';
import { choice } from './choices.ts';
import { matchConditions } from './match-conditions.ts';
import { ruleWithOperations } from './match-resources.ts';

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const KNOWN_REVIEWS = ['v1', 'v1beta1'];
const LONGEST_WAIT = 30;

/** What the stored configuration already breaks, so that a change may go on breaking it. */
interface Leniency {
  readonly sideEffects: readonly string[];
  readonly needsKnownReview: boolean;
  readonly needsUniqueNames: boolean;
  readonly checksConditions: boolean;
  /** The expressions of the stored match conditions. */
  readonly stored: ReadonlySet<string>;
}

/** Checks both kinds of webhook configurations. */
export function* webhooks(body: JsonObject, old: JsonObject | undefined, loaded: Expressions): Errors {
  const hooks = objectsOf(body.webhooks);
  const leniency = leniencyOf(hooks, old === undefined ? undefined : objectsOf(old.webhooks));
  const expressions = new NewExpressions({ hasParams: false, hasVariables: false }, loaded);
  const names = new Set<string>();
  for (const [at, hook] of hooks.entries()) {
    const own = index('webhooks', at);
    yield* webhook(own, hook, leniency);
    if (leniency.checksConditions) {
      const conditions = objectsOf(hook.matchConditions);
      yield* matchConditions(child(own, 'matchConditions'), {
        conditions,
        expressions,
        stored: leniency.stored,
      });
    }
    const versions = textsOf(hook.admissionReviewVersions);
    yield* reviewVersions(child(own, 'admissionReviewVersions'), versions, leniency);
    const name = textOf(hook.name);
    if (name === '' || !leniency.needsUniqueNames) continue;
    if (names.has(name)) yield duplicate(child(own, 'name'), name);
    names.add(name);
  }
}

function leniencyOf(hooks: readonly JsonObject[], before: readonly JsonObject[] | undefined): Leniency {
  if (before === undefined) {
    const needs = { needsKnownReview: true, needsUniqueNames: true, checksConditions: true };
    return { ...needs, sideEffects: NO_SIDE_EFFECTS, stored: new Set() };
  }
  const has = (check: (hook: JsonObject) => boolean) => before.every(check);
  const names = before.map(({ name }) => textOf(name));
  const keepsConditions =
    hooks.length === before.length &&
    hooks.every(({ matchConditions: now }, at) => {
      return jsonEquals(now ?? null, before[at]?.matchConditions ?? null);
    });
  const conditions = before.flatMap(({ matchConditions: each }) => objectsOf(each));
  return {
    sideEffects: has(({ sideEffects }) => NO_SIDE_EFFECTS.includes(textOf(sideEffects)))
      ? NO_SIDE_EFFECTS
      : SIDE_EFFECTS,
    needsKnownReview: has(({ admissionReviewVersions }) => {
      const versions = textsOf(admissionReviewVersions);
      return versions.length === 0 || versions.some((version) => KNOWN_REVIEWS.includes(version));
    }),
    needsUniqueNames: new Set(names).size === names.length,
    checksConditions: !keepsConditions,
    stored: new Set(conditions.map(({ expression }) => textOf(expression))),
  };
}

function* webhook(path: string, hook: JsonObject, { sideEffects }: Leniency): Errors {
  yield* qualifiedName(child(path, 'name'), textOf(hook.name));
  for (const [at, rule] of objectsOf(hook.rules).entries()) {
    yield* ruleWithOperations(index(child(path, 'rules'), at), rule);
  }
  yield* choice(child(path, 'failurePolicy'), hook.failurePolicy, FAILURE_POLICIES);
  yield* choice(child(path, 'matchPolicy'), hook.matchPolicy, MATCH_POLICIES);
  if (!isThere(hook.sideEffects)) {
    yield required(child(path, 'sideEffects'), `must specify one of ${sideEffects.join(', ')}`);
  }
  yield* choice(child(path, 'sideEffects'), hook.sideEffects, sideEffects);
  const { timeoutSeconds: wait } = hook;
  if (isThere(wait) && (numberOf(wait) < 1 || numberOf(wait) > LONGEST_WAIT)) {
    const detail = `the timeout value must be between 1 and ${LONGEST_WAIT} seconds`;
    yield invalid(child(path, 'timeoutSeconds'), wait, detail);
  }
  yield* labelSelector(child(path, 'namespaceSelector'), hook.namespaceSelector);
  yield* labelSelector(child(path, 'objectSelector'), hook.objectSelector);
  yield* choice(child(path, 'reinvocationPolicy'), hook.reinvocationPolicy, REINVOCATION_POLICIES);
  yield* clientConfig(child(path, 'clientConfig'), objectAt(hook.clientConfig));
}

function* clientConfig(path: string, { url, service }: JsonObject): Errors {
  if (isThere(url) === isThere(service)) {
    yield required(path, 'exactly one of url or service is required');
  } else if (isThere(url)) {
    yield* webhookUrl(child(path, 'url'), textOf(url));
  } else {
    yield* webhookService(child(path, 'service'), objectAt(service));
  }
}

const FORM = '; desired format: https://host[/path]';

/** Follows ValidateWebhookURL of k8s.io/apiserver/pkg/util/webhook. */
function* webhookUrl(path: string, text: string): Errors {
  const url = read(text);
  if (url instanceof UrlError) {
    // Like Go, which quotes the text without its fragment, unless the fragment is wrong.
    const before = text.replace(/#.*$/s, '');
    const quoted = quote(read(before) instanceof UrlError ? before : text);
    yield required(path, `url must be a valid URL: parse ${quoted}: ${url.message}${FORM}`);
    return;
  }
  if (url.scheme !== 'https') {
    yield invalid(path, url.scheme, `'https' is the only allowed URL scheme${FORM}`);
  }
  if (url.host === '') yield invalid(path, '', `host must be specified${FORM}`);
  if (url.user !== undefined) {
    yield invalid(path, url.user, 'user information is not permitted in the URL');
  }
  if (url.fragment !== '') yield invalid(path, url.fragment, 'fragments are not permitted in the URL');
  if (url.query !== '') yield invalid(path, url.query, 'query parameters are not permitted in the URL');
}

function read(text: string): ReadUrl | UrlError {
  try {
    return parseUrl(text, false);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
}

/**
 * Follows ValidateWebhookService of k8s.io/apiserver/pkg/util/webhook. There, kube-apiserver mistakes the name for the
 * namespace; here the error names the field that is empty.
 */
function* webhookService(path: string, { name, namespace, path: urlPath, port }: JsonObject): Errors {
  if (textOf(name) === '') yield required(child(path, 'name'), 'service name is required');
  if (textOf(namespace) === '') yield required(child(path, 'namespace'), 'service namespace is required');
  const errors = portNumberErrors(numberOf(port));
  if (errors.length > 0) {
    yield invalid(child(path, 'port'), numberOf(port), `port is not valid: ${errors.join(', ')}`);
  }
  if (isThere(urlPath)) yield* servicePath(child(path, 'path'), textOf(urlPath));
}

function* servicePath(path: string, text: string): Errors {
  if (text === '' || text === '/') return;
  if (text === '//') {
    yield invalid(path, text, 'segment[0] may not be empty');
    return;
  }
  if (!text.startsWith('/')) yield invalid(path, text, "must start with a '/'");
  // Like upstream, which takes the first character for the slash.
  for (const [at, step] of text.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (step === '') yield invalid(path, text, `segment[${at}] may not be empty`);
    const failures = step === '' ? [] : dns1123SubdomainErrors(step);
    for (const failure of failures) yield invalid(path, text, `segment[${at}]: ${failure}`);
  }
}

function* reviewVersions(path: string, versions: readonly string[], { needsKnownReview }: Leniency): Errors {
  if (versions.length === 0) {
    yield required(path, `must specify one of ${KNOWN_REVIEWS.join(', ')}`);
    return;
  }
  for (const [at, version] of versions.entries()) {
    const own = index(path, at);
    if (versions.indexOf(version) < at) {
      yield invalid(own, version, 'duplicate version');
    } else {
      yield* invalidFor(own, version, dns1035LabelErrors(version));
    }
  }
  if (needsKnownReview && !versions.some((version) => KNOWN_REVIEWS.includes(version))) {
    const detail = `must include at least one of ${KNOWN_REVIEWS.join(', ')}`;
    yield invalidPrinted(path, goTexts([...versions]), detail);
  }
}

function* qualifiedName(path: string, name: string): Errors {
  if (name === '') {
    yield required(path);
    return;
  }
  const errors = dns1123SubdomainErrors(name);
  if (errors.length > 0) {
    yield invalid(path, name, errors.join(','));
  } else if (name.split('.').length < 3) {
    yield invalid(path, name, 'should be a domain with at least three segments separated by dots');
  }
}
