import { isIPv4, isIPv6 } from 'node:net';
import { type JsonObject, jsonEquals } from '../../../json/index.ts';
import { labelKeyErrors } from '../../../selectors/index.ts';
import { child, duplicate, index, invalid, required, tooMany } from '../../field-errors/index.ts';
import { isAddress, isEndpoint } from '../addresses.ts';
import { PROTOCOLS } from '../containers/index.ts';
import { type Errors, invalidFor, label, oneOf, portNumberErrors, subdomain } from '../errors.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';

const MOST_ENDPOINTS = 1000;
const MOST_ADDRESSES = 100;

export function* endpoints({ subsets }: JsonObject): Errors {
  for (const [at, subset] of objectsOf(subsets).entries()) {
    const own = index('subsets', at);
    const lists = ['addresses', 'notReadyAddresses'];
    if (lists.every((field) => objectsOf(subset[field]).length === 0)) {
      yield required(own, 'must specify `addresses` or `notReadyAddresses`');
    }
    for (const field of lists) {
      for (const [nth, address] of objectsOf(subset[field]).entries()) {
        yield* endpointAddress(index(child(own, field), nth), address);
      }
    }
    const ports = objectsOf(subset.ports);
    for (const [nth, port] of ports.entries()) {
      yield* endpointPort(index(child(own, 'ports'), nth), port, ports.length > 1);
    }
  }
}

function* endpointAddress(path: string, address: JsonObject): Errors {
  yield* isAddress(child(path, 'ip'), textOf(address.ip));
  if (textOf(address.hostname) !== '') yield* label(child(path, 'hostname'), textOf(address.hostname));
  if (isThere(address.nodeName)) yield* subdomain(child(path, 'nodeName'), textOf(address.nodeName));
  const isOne = isIPv4(textOf(address.ip)) || isIPv6(textOf(address.ip));
  if (isOne) {
    yield* isEndpoint(child(path, 'ip'), textOf(address.ip));
  } else {
    yield invalid(child(path, 'ip'), textOf(address.ip), 'must be a valid IP address');
  }
}

function* endpointPort(path: string, port: JsonObject, needsName: boolean): Errors {
  const name = textOf(port.name);
  if (name !== '') {
    yield* label(child(path, 'name'), name);
  } else if (needsName) {
    yield required(child(path, 'name'));
  }
  yield* invalidFor(child(path, 'port'), numberOf(port.port), portNumberErrors(numberOf(port.port)));
  yield* oneOf(child(path, 'protocol'), port.protocol, PROTOCOLS);
  yield* appProtocol(path, port);
}

function* appProtocol(path: string, { appProtocol: protocol }: JsonObject): Errors {
  if (!isThere(protocol)) return;
  yield* invalidFor(child(path, 'appProtocol'), textOf(protocol), labelKeyErrors(textOf(protocol)));
}

export function* endpointSlice(body: JsonObject): Errors {
  yield* oneOf('addressType', body.addressType, ['FQDN', 'IPv4', 'IPv6']);
  const names = new Set<string>();
  for (const [at, port] of objectsOf(body.ports).entries()) {
    const own = index('ports', at);
    const name = textOf(port.name);
    if (name !== '') yield* label(child(own, 'name'), name);
    if (names.has(name)) yield duplicate(child(own, 'name'), name);
    names.add(name);
    yield* oneOf(child(own, 'protocol'), port.protocol, PROTOCOLS);
    yield* appProtocol(own, port);
  }
  const all = objectsOf(body.endpoints);
  if (all.length > MOST_ENDPOINTS) {
    yield tooMany('endpoints', all.length, MOST_ENDPOINTS);
    return;
  }
  for (const [at, one] of all.entries()) yield* slicedEndpoint(index('endpoints', at), one, body.addressType);
}

export function* endpointSliceUpdate(body: JsonObject, old: JsonObject): Errors {
  if (jsonEquals(body.addressType ?? null, old.addressType ?? null)) return;
  yield invalid('addressType', textOf(body.addressType), 'field is immutable');
}

function* slicedEndpoint(path: string, one: JsonObject, type: unknown): Errors {
  const own = child(path, 'addresses');
  const addresses = textsOf(one.addresses);
  if (addresses.length === 0) yield required(own, 'must contain at least 1 address');
  if (addresses.length > MOST_ADDRESSES) yield tooMany(own, addresses.length, MOST_ADDRESSES);
  for (const [at, address] of addresses.entries()) {
    if (type !== 'IPv4' && type !== 'IPv6') continue;
    const errors = [...isAddress(index(own, at), address)];
    yield* errors;
    if (errors.length > 0) continue;
    const fits = type === 'IPv4' ? !address.includes(':') : isIPv6(address);
    if (!fits) yield invalid(own, address, `must be an ${type} address`);
    yield* isEndpoint(index(own, at), address);
  }
  if (isThere(one.nodeName)) yield* subdomain(child(path, 'nodeName'), textOf(one.nodeName));
  if (isThere(one.hostname)) yield* label(child(path, 'hostname'), textOf(one.hostname));
}
