import { isIP } from 'node:net';
import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { dns1035LabelErrors, dns1123SubdomainErrors, patternError } from '../../../selectors/index.ts';
import { child, index, invalid, invalidPrinted, notSupported, required } from '../../field-errors/index.ts';
import { type Errors, invalidFor, portNameErrors, portNumberErrors, subdomain } from '../errors.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const BAD_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const BAD_ENDS = ['/..', '/.'];
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const NO_WILDCARD = patternError({
  rule: "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  pattern: `\\*\\.${LABEL}(\\.${LABEL})*`,
  examples: ['*.example.com'],
});

export function* ingress(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const rules = objectsOf(spec.rules);
  if (rules.length === 0 && !isThere(spec.defaultBackend)) {
    const printed = Array.isArray(spec.rules)
      ? '[]networking.IngressRule{}'
      : '[]networking.IngressRule(nil)';
    yield invalidPrinted('spec', printed, 'either `defaultBackend` or `rules` must be specified');
  }
  if (isThere(spec.defaultBackend)) yield* backend('spec.defaultBackend', objectAt(spec.defaultBackend));
  for (const [at, rule] of rules.entries()) yield* ingressRule(index('spec.rules', at), rule);
  yield* tls('spec.tls', spec.tls);
  if (isThere(spec.ingressClassName)) {
    yield* subdomain('spec.ingressClassName', textOf(spec.ingressClassName));
  }
}

export function* ingressClass(body: JsonObject): Errors {
  const { controller, parameters } = objectAt(body.spec);
  if (textOf(controller) === '') yield required('spec.controller');
  if (!isThere(parameters)) return;
  for (const field of ['kind', 'name']) {
    if (textOf(objectAt(parameters)[field]) === '') yield required(child('spec.parameters', field));
  }
}

/** Checks the update of a class, whose controller is immutable. */
export function* ingressClassUpdate(body: JsonObject, old: JsonObject): Errors {
  const controller = textOf(objectAt(body.spec).controller);
  if (controller !== textOf(objectAt(old.spec).controller)) {
    yield invalid('spec.controller', controller, 'field is immutable');
  }
}

function* ingressRule(path: string, rule: JsonObject): Errors {
  const host = textOf(rule.host);
  if (host !== '') yield* hostName(child(path, 'host'), host);
  if (!isThere(rule.http)) return;
  const paths = objectsOf(objectAt(rule.http).paths);
  const own = child(path, 'http.paths');
  if (paths.length === 0) yield required(own);
  for (const [at, one] of paths.entries()) yield* ingressPath(index(own, at), one);
}

function* hostName(path: string, host: string): Errors {
  if (isIP(host) !== 0) yield invalid(path, host, 'must be a DNS name, not an IP address');
  if (host.includes('*')) {
    const named = host.startsWith('*.') && dns1123SubdomainErrors(host.slice(2)).length === 0;
    yield* invalidFor(path, host, named ? [] : [NO_WILDCARD]);
  } else {
    yield* subdomain(path, host);
  }
}

function* ingressPath(path: string, one: JsonObject): Errors {
  const [type, text] = [textOf(one.pathType), textOf(one.path)];
  const own = child(path, 'path');
  if (!isThere(one.pathType)) {
    yield required(child(path, 'pathType'), 'pathType must be specified');
    return;
  }
  if (type === 'Exact' || type === 'Prefix') {
    if (!text.startsWith('/')) yield invalid(own, text, 'must be an absolute path');
    for (const part of BAD_PARTS) {
      if (text.includes(part)) yield invalid(own, text, `must not contain '${part}'`);
    }
    for (const end of BAD_ENDS) if (text.endsWith(end)) yield invalid(own, text, `cannot end with '${end}'`);
  } else if (type !== 'ImplementationSpecific') {
    yield notSupported(child(path, 'pathType'), type, PATH_TYPES);
  } else if (text !== '' && !text.startsWith('/')) {
    yield invalid(own, text, 'must be an absolute path');
  }
  yield* backend(child(path, 'backend'), objectAt(one.backend));
}

function* backend(path: string, { resource, service }: JsonObject): Errors {
  if (isThere(resource) && isThere(service)) {
    yield invalid(path, '', 'cannot set both resource and service backends');
  } else if (isThere(resource)) {
    const own = child(path, 'resource');
    for (const field of ['kind', 'name']) {
      if (textOf(objectAt(resource)[field]) === '') yield required(child(own, field));
    }
  } else if (isThere(service)) {
    yield* serviceBackend(path, objectAt(service));
  } else {
    yield invalid(path, '', 'resource or service backend is required');
  }
}

function* serviceBackend(path: string, service: JsonObject): Errors {
  const own = child(path, 'service');
  const name = textOf(service.name);
  if (name === '') {
    yield required(child(own, 'name'));
  } else {
    yield* invalidFor(child(own, 'name'), name, dns1035LabelErrors(name));
  }
  const { name: portName, number } = objectAt(service.port);
  const [named, numbered] = [textOf(portName), numberOf(number)];
  if (named !== '' && numbered !== 0) {
    yield invalid(path, '', 'cannot set both port name & port number');
  } else if (named !== '') {
    yield* invalidFor(child(own, 'port.name'), named, portNameErrors(named));
  } else if (numbered !== 0) {
    yield* invalidFor(child(own, 'port.number'), numbered, portNumberErrors(numbered));
  } else {
    yield required(path, 'port name or number is required');
  }
}

function* tls(path: string, value: JsonValue | undefined): Errors {
  for (const [at, one] of objectsOf(value).entries()) {
    const own = index(path, at);
    for (const [nth, host] of textsOf(one.hosts).entries()) {
      yield* tlsHost(index(child(own, 'hosts'), nth), host);
    }
    const secret = textOf(one.secretName);
    if (secret !== '') yield* subdomain(child(own, 'secretName'), secret);
  }
}

function* tlsHost(path: string, host: string): Errors {
  if (host.includes('*')) {
    yield* hostName(path, host);
  } else {
    yield* subdomain(path, host);
  }
}
