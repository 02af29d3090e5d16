import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../selectors/index.ts';
import { invalid, notSupported, required } from '../../field-errors/index.ts';
import { type Errors, invalidFor, portNumberErrors } from '../errors.ts';
import { isThere, numberOf, textOf } from '../reading.ts';

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
