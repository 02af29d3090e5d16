import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { patternError } from '../../../selectors/index.ts';
import { child, forbidden, invalid, notSupported, required } from '../../field-errors/index.ts';
import { type Errors, invalidFor, nonNegative, portNumberOrName } from '../errors.ts';
import { isThere, numberOf, objectsOf, textOf } from '../reading.ts';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;
const SECONDS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds'];
const THRESHOLDS = ['successThreshold', 'failureThreshold'];
const NO_HEADER = patternError({
  rule: "a valid HTTP header must consist of alphanumeric characters or '-'",
  pattern: '[-A-Za-z0-9]+',
  examples: ['X-Header-Name'],
});

/** Checks the probes of a container. */
export function* probes(path: string, container: JsonObject, graceSeconds: number): Errors {
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name];
    if (!isThere(probe)) continue;
    const own = child(path, name);
    yield* probeErrors(own, objectAt(probe), graceSeconds);
    const { successThreshold, terminationGracePeriodSeconds } = objectAt(probe);
    if (name !== 'readinessProbe' && numberOf(successThreshold) !== 1) {
      yield invalid(child(own, 'successThreshold'), numberOf(successThreshold), 'must be 1');
    } else if (name === 'readinessProbe' && isThere(terminationGracePeriodSeconds)) {
      const detail = 'must not be set for readinessProbes';
      yield invalid(child(own, 'terminationGracePeriodSeconds'), terminationGracePeriodSeconds, detail);
    }
  }
}

function* probeErrors(path: string, probe: JsonObject, graceSeconds: number): Errors {
  yield* handler(path, probe, graceSeconds);
  for (const name of [...SECONDS, ...THRESHOLDS]) yield* nonNegative(child(path, name), probe[name]);
  const { terminationGracePeriodSeconds: grace } = probe;
  if (isThere(grace) && numberOf(grace) <= 0) {
    yield invalid(child(path, 'terminationGracePeriodSeconds'), grace, 'must be greater than 0');
  }
}

/** Checks the actions after the start and before the stop of a container. */
export function* lifecycle(path: string, value: JsonValue | undefined, graceSeconds: number): Errors {
  const hooks = objectAt(value);
  for (const name of ['postStart', 'preStop']) {
    if (isThere(hooks[name])) yield* handler(child(path, name), objectAt(hooks[name]), graceSeconds);
  }
}

/** Checks one handler of a probe or an action. */
function* handler(path: string, value: JsonObject, graceSeconds: number): Errors {
  const [first, ...more] = HANDLERS.filter((name) => isThere(value[name]));
  if (first === undefined) {
    yield required(path, 'must specify a handler type');
    return;
  }
  const own = child(path, first);
  const action = objectAt(value[first]);
  switch (first) {
    case 'exec':
      if (!Array.isArray(action.command) || action.command.length === 0) {
        yield required(child(own, 'command'));
      }
      break;
    case 'httpGet':
      yield* httpGet(own, action);
      break;
    case 'tcpSocket':
    case 'grpc':
      yield* portNumberOrName(child(own, 'port'), action.port);
      break;
    case 'sleep': {
      const seconds = numberOf(action.seconds);
      const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
      if (seconds < 0 || seconds > graceSeconds) yield invalid(own, seconds, detail);
      break;
    }
    default:
      first satisfies never;
  }
  for (const name of more) yield forbidden(child(path, name), 'may not specify more than 1 handler type');
}

function* httpGet(path: string, action: JsonObject): Errors {
  if (textOf(action.path) === '') yield required(child(path, 'path'));
  yield* portNumberOrName(child(path, 'port'), action.port);
  const scheme = textOf(action.scheme);
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') {
    yield notSupported(child(path, 'scheme'), scheme, ['HTTP', 'HTTPS']);
  }
  for (const header of objectsOf(action.httpHeaders)) {
    const name = textOf(header.name);
    yield* invalidFor(child(path, 'httpHeaders'), name, /^[-A-Za-z0-9]+$/.test(name) ? [] : [NO_HEADER]);
  }
}
