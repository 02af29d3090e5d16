import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { child, forbidden, index, invalid, notSupported, required } from '../../field-errors/index.ts';
import { isRange } from '../addresses.ts';
import { type Errors, invalidFor, portNameErrors, portNumberErrors } from '../errors.ts';
import { goTexts } from '../go-values.ts';
import { labelSelector } from '../label-selectors.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const TYPES = ['Ingress', 'Egress'];
const PEERS = ['podSelector', 'namespaceSelector', 'ipBlock'];

export function* networkPolicy(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  yield* labelSelector('spec.podSelector', spec.podSelector);
  yield* rules('spec.ingress', spec.ingress, 'from');
  yield* rules('spec.egress', spec.egress, 'to');
  const types = textsOf(spec.policyTypes);
  if (types.length > TYPES.length) {
    const printed = `&${goTexts(types, 'networking.PolicyType')}`;
    const detail = `${printed}: may not specify more than two policyTypes`;
    yield { type: 'Invalid', field: 'spec.policyTypes', detail };
    return;
  }
  for (const [at, type] of types.entries()) {
    if (!TYPES.includes(type)) yield notSupported(index('spec.policyTypes', at), type, TYPES);
  }
}

function* rules(path: string, value: JsonValue | undefined, side: 'from' | 'to'): Errors {
  for (const [at, rule] of objectsOf(value).entries()) {
    const own = index(path, at);
    for (const [nth, port] of objectsOf(rule.ports).entries()) {
      yield* policyPort(index(child(own, 'ports'), nth), port);
    }
    for (const [nth, peer] of objectsOf(rule[side]).entries()) {
      yield* policyPeer(index(child(own, side), nth), peer);
    }
  }
}

function* policyPort(path: string, { protocol, port, endPort }: JsonObject): Errors {
  if (isThere(protocol) && !PROTOCOLS.includes(textOf(protocol))) {
    yield notSupported(child(path, 'protocol'), protocol, PROTOCOLS);
  }
  const end = child(path, 'endPort');
  if (!isThere(port)) {
    if (isThere(endPort)) yield invalid(end, endPort, 'may not be specified when `port` is not specified');
  } else if (typeof port === 'string') {
    if (isThere(endPort)) yield invalid(end, endPort, 'may not be specified when `port` is non-numeric');
    yield* invalidFor(child(path, 'port'), port, portNameErrors(port));
  } else {
    yield* invalidFor(child(path, 'port'), port, portNumberErrors(numberOf(port)));
    if (!isThere(endPort)) return;
    if (numberOf(endPort) < numberOf(port)) {
      yield invalid(end, port, 'must be greater than or equal to `port`');
    }
    yield* invalidFor(end, endPort, portNumberErrors(numberOf(endPort)));
  }
}

function* policyPeer(path: string, peer: JsonObject): Errors {
  yield* labelSelector(child(path, 'podSelector'), peer.podSelector);
  yield* labelSelector(child(path, 'namespaceSelector'), peer.namespaceSelector);
  if (isThere(peer.ipBlock)) yield* addressBlock(child(path, 'ipBlock'), objectAt(peer.ipBlock));
  const given = PEERS.filter((name) => isThere(peer[name]));
  if (given.length === 0) yield required(path, 'must specify a peer');
  if (given.length > 1 && isThere(peer.ipBlock)) {
    yield forbidden(path, 'may not specify both ipBlock and another peer');
  }
}

function* addressBlock(path: string, { cidr, except }: JsonObject): Errors {
  if (textOf(cidr) === '') {
    yield required(child(path, 'cidr'));
    return;
  }
  const errors = [...isRange(child(path, 'cidr'), textOf(cidr))];
  yield* errors;
  if (errors.length > 0) return;
  for (const [at, one] of textsOf(except).entries()) yield* isRange(index(child(path, 'except'), at), one);
}
