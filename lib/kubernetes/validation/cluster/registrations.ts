import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../selectors/index.ts';
import {
  child,
  duplicate,
  index,
  invalid,
  invalidPrinted,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import { type Errors, invalidFor, portNumberErrors } from '../errors.ts';
import { goTexts } from '../go-values.ts';
import { labelSelector } from '../label-selectors.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';

/** Follows k8s.io/kube-aggregator/pkg/apis/apiregistration/validation. */
export function* apiService(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const [group, version] = [textOf(spec.group), textOf(spec.version)];
  const wanted = `${version}.${group}`;
  const name = textOf(metadataOf(body).name);
  if (name !== wanted) {
    yield invalid(
      'metadata.name',
      name,
      `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`,
    );
  }
  if (group === '' && version !== 'v1') {
    yield required('spec.group', 'only v1 may have an empty group and it better be legacy kube');
  }
  if (group !== '') yield* invalidFor('spec.group', group, dns1123SubdomainErrors(group));
  yield* invalidFor('spec.version', version, dns1035LabelErrors(version));
  yield* priority('spec.groupPriorityMinimum', numberOf(spec.groupPriorityMinimum), 20_000);
  yield* priority('spec.versionPriority', numberOf(spec.versionPriority), 1_000);
  yield* isThere(spec.service) ? elsewhere(spec) : local(spec);
}

function* priority(path: string, value: number, most: number): Errors {
  if (value <= 0 || value > most) yield invalid(path, value, `must be positive and less than ${most}`);
}

function* local({ caBundle, insecureSkipTLSVerify }: JsonObject): Errors {
  const bytes = Buffer.byteLength(textOf(caBundle), 'base64');
  if (bytes > 0) {
    yield invalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle');
  }
  if (insecureSkipTLSVerify === true) {
    yield invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify');
  }
}

function* elsewhere({ service, caBundle, insecureSkipTLSVerify }: JsonObject): Errors {
  const { namespace, name, port } = objectAt(service);
  if (textOf(namespace) === '') yield required('spec.service.namespace');
  if (textOf(name) === '') yield required('spec.service.name');
  const errors = portNumberErrors(numberOf(port));
  if (errors.length > 0) {
    yield invalid('spec.service.port', numberOf(port), `port is not valid: ${errors.join(', ')}`);
  }
  if (insecureSkipTLSVerify === true && textOf(caBundle) !== '') {
    yield invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present');
  }
}

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const KNOWN_REVIEWS = ['v1', 'v1beta1'];
const LONGEST_WAIT = 30;

/** Checks both kinds of webhook configurations. Their expressions and rules are not checked. */
export function* webhooks({ webhooks: given }: JsonObject): Errors {
  const names = new Set<string>();
  for (const [at, hook] of objectsOf(given).entries()) {
    const own = index('webhooks', at);
    yield* webhook(own, hook);
    const name = textOf(hook.name);
    if (names.has(name)) yield duplicate(child(own, 'name'), name);
    names.add(name);
  }
}

function* webhook(path: string, hook: JsonObject): Errors {
  yield* qualifiedName(child(path, 'name'), textOf(hook.name));
  yield* choice(child(path, 'failurePolicy'), hook.failurePolicy, FAILURE_POLICIES);
  yield* choice(child(path, 'matchPolicy'), hook.matchPolicy, MATCH_POLICIES);
  if (!isThere(hook.sideEffects)) {
    yield required(child(path, 'sideEffects'), `must specify one of ${SIDE_EFFECTS.join(', ')}`);
  }
  yield* choice(child(path, 'sideEffects'), hook.sideEffects, SIDE_EFFECTS);
  const { timeoutSeconds: wait } = hook;
  if (isThere(wait) && (numberOf(wait) < 1 || numberOf(wait) > LONGEST_WAIT)) {
    const detail = `the timeout value must be between 1 and ${LONGEST_WAIT} seconds`;
    yield invalid(child(path, 'timeoutSeconds'), wait, detail);
  }
  yield* labelSelector(child(path, 'namespaceSelector'), hook.namespaceSelector);
  yield* labelSelector(child(path, 'objectSelector'), hook.objectSelector);
  const { url, service } = objectAt(hook.clientConfig);
  if (isThere(url) === isThere(service)) {
    yield required(child(path, 'clientConfig'), 'exactly one of url or service is required');
  }
  yield* reviewVersions(child(path, 'admissionReviewVersions'), textsOf(hook.admissionReviewVersions));
}

function* reviewVersions(path: string, versions: readonly string[]): Errors {
  if (versions.length === 0) {
    yield required(path, `must specify one of ${KNOWN_REVIEWS.join(', ')}`);
  } else if (!versions.some((version) => KNOWN_REVIEWS.includes(version))) {
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
  yield* invalidFor(path, name, errors);
  if (errors.length === 0 && name.split('.').length < 3) {
    yield invalid(path, name, 'should be a domain with at least three segments separated by dots');
  }
}

function* choice(path: string, value: JsonObject[string] | undefined, supported: readonly string[]): Errors {
  if (isThere(value) && !supported.includes(textOf(value))) yield notSupported(path, value, supported);
}

const HIGHEST_PRECEDENCE = 10_000;

export function* flowSchema({ spec: given }: JsonObject): Errors {
  const spec = objectAt(given);
  const precedence = numberOf(spec.matchingPrecedence);
  if (precedence <= 0) yield invalid('spec.matchingPrecedence', precedence, 'must be a positive value');
  if (precedence > HIGHEST_PRECEDENCE) {
    const detail = `must not be greater than ${HIGHEST_PRECEDENCE}`;
    yield invalid('spec.matchingPrecedence', precedence, detail);
  }
  if (textOf(objectAt(spec.priorityLevelConfiguration).name) === '') {
    yield required('spec.priorityLevelConfiguration.name', 'must reference a priority level');
  }
}

const LEVELS = ['Exempt', 'Limited'];

export function* priorityLevel({ spec: given }: JsonObject): Errors {
  const { type, limited } = objectAt(given);
  if (!LEVELS.includes(textOf(type))) yield notSupported('spec.type', textOf(type), LEVELS);
  if (type === 'Limited' && !isThere(limited)) {
    yield required('spec.limited', 'must not be empty when type is Limited');
  }
}
