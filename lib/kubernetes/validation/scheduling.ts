import { type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import {
  dns1123LabelErrors,
  labelKeyErrors,
  labelValueErrors,
  validateNodeSelector,
  validateNodeTerm,
} from '../../selectors/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  notSupported,
  required,
} from '../field-errors/index.ts';
import { type Errors, invalidFor, positive } from './errors.ts';
import { labelKey, labelSelector } from './label-selectors.ts';
import { entriesOf, isThere, numberOf, objectsOf, textOf, textsOf } from './reading.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Checks the affinity of a pod to nodes and to other pods. */
export function* affinity(path: string, value: JsonValue | undefined): Errors {
  const { nodeAffinity, podAffinity, podAntiAffinity } = objectAt(value);
  yield* nodes(child(path, 'nodeAffinity'), objectAt(nodeAffinity));
  yield* pods(child(path, 'podAffinity'), objectAt(podAffinity));
  yield* pods(child(path, 'podAntiAffinity'), objectAt(podAntiAffinity));
}

function* nodes(path: string, affinity: JsonObject): Errors {
  if (isThere(affinity[REQUIRED])) yield* validateNodeSelector(affinity[REQUIRED], child(path, REQUIRED));
  for (const [at, term] of objectsOf(affinity[PREFERRED]).entries()) {
    const own = index(child(path, PREFERRED), at);
    yield* weight(own, term);
    yield* validateNodeTerm(term.preference ?? {}, child(own, 'preference'));
  }
}

function* pods(path: string, affinity: JsonObject): Errors {
  for (const [at, term] of objectsOf(affinity[REQUIRED]).entries()) {
    yield* podTerm(index(child(path, REQUIRED), at), term);
  }
  for (const [at, term] of objectsOf(affinity[PREFERRED]).entries()) {
    const own = index(child(path, PREFERRED), at);
    yield* weight(own, term);
    yield* podTerm(child(own, 'podAffinityTerm'), objectAt(term.podAffinityTerm));
  }
}

function* weight(path: string, term: JsonObject): Errors {
  const value = numberOf(term.weight);
  if (value <= 0 || value > 100) yield invalid(child(path, 'weight'), value, 'must be in the range 1-100');
}

function* podTerm(path: string, term: JsonObject): Errors {
  yield* labelSelector(child(path, 'labelSelector'), term.labelSelector);
  yield* labelSelector(child(path, 'namespaceSelector'), term.namespaceSelector);
  for (const name of textsOf(term.namespaces)) {
    yield* invalidFor(child(path, 'namespace'), name, dns1123LabelErrors(name));
  }
  for (const field of ['matchLabelKeys', 'mismatchLabelKeys']) {
    const keys = textsOf(term[field]);
    if (keys.length > 0 && !isThere(term.labelSelector)) {
      yield forbidden(child(path, field), 'must not be specified when labelSelector is not set');
    } else {
      for (const [at, key] of keys.entries()) yield* labelKey(index(child(path, field), at), key);
    }
  }
  yield* doubledKeys(path, term);
  const mismatched = textsOf(term.mismatchLabelKeys);
  for (const [at, key] of textsOf(term.matchLabelKeys).entries()) {
    if (!mismatched.includes(key)) continue;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    yield invalid(index(child(path, 'matchLabelKeys'), at), key, detail);
  }
  const topologyKey = textOf(term.topologyKey);
  if (topologyKey === '') yield required(child(path, 'topologyKey'), 'can not be empty');
  yield* labelKey(child(path, 'topologyKey'), topologyKey);
}

/**
 * Checks keys for duplicates. The selector already contains the requirements of `matchLabelKeys`; another requirement
 * with the same key comes from the client.
 */
function* doubledKeys(path: string, { matchLabelKeys: keys, labelSelector }: JsonObject): Errors {
  const matched = textsOf(keys);
  const { matchLabels, matchExpressions } = objectAt(labelSelector);
  const selected = new Set(entriesOf(matchLabels).map(([key]) => key));
  for (const key of objectsOf(matchExpressions).map((expression) => textOf(expression.key))) {
    if (selected.has(key) && matched.includes(key)) {
      const detail = 'exists in both matchLabelKeys and labelSelector';
      yield invalid(index(path, matched.lastIndexOf(key)), key, detail);
    }
    selected.add(key);
  }
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

/** Checks the constraints on the distribution of pods. */
export function* topologySpread(path: string, value: JsonValue | undefined): Errors {
  const all = objectsOf(value);
  const last = new Map(all.map((constraint, at) => [spreadKey(constraint), at]));
  for (const [at, constraint] of all.entries()) {
    const own = index(path, at);
    yield* positive(child(own, 'maxSkew'), constraint.maxSkew);
    const [key, action] = [textOf(constraint.topologyKey), textOf(constraint.whenUnsatisfiable)];
    if (key === '') yield required(child(own, 'topologyKey'), 'can not be empty');
    if (!ACTIONS.includes(action)) yield notSupported(child(own, 'whenUnsatisfiable'), action, ACTIONS);
    const again = (last.get(spreadKey(constraint)) ?? at) > at;
    if (again) yield duplicate(child(own, '{topologyKey, whenUnsatisfiable}'), `{${key}, ${action}}`);
    yield* minDomains(child(own, 'minDomains'), constraint.minDomains, action);
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      const policy = constraint[field];
      if (isThere(policy) && !POLICIES.includes(textOf(policy))) {
        yield notSupported(child(own, field), policy, POLICIES);
      }
    }
    yield* matchLabelKeys(child(own, 'matchLabelKeys'), constraint);
    yield* labelSelector(child(own, 'labelSelector'), constraint.labelSelector);
  }
}

/** Returns the key that must be unique among the constraints of one pod. */
function spreadKey({ topologyKey, whenUnsatisfiable }: JsonObject): string {
  return `${textOf(topologyKey)} ${textOf(whenUnsatisfiable)}`;
}

function* minDomains(path: string, value: JsonValue | undefined, action: string): Errors {
  if (!isThere(value)) return;
  yield* positive(path, value);
  if (action === 'DoNotSchedule') return;
  yield invalid(path, value, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`);
}

function* matchLabelKeys(path: string, constraint: JsonObject): Errors {
  const keys = textsOf(constraint.matchLabelKeys);
  if (keys.length === 0) return;
  if (!isThere(constraint.labelSelector)) {
    yield forbidden(path, 'must not be specified when labelSelector is not set');
  }
  const { matchLabels, matchExpressions } = objectAt(constraint.labelSelector);
  const selected = new Set([
    ...entriesOf(matchLabels).map(([key]) => key),
    ...objectsOf(matchExpressions).map(({ key }) => textOf(key)),
  ]);
  for (const [at, key] of keys.entries()) {
    yield* labelKey(index(path, at), key);
    if (selected.has(key)) {
      yield invalid(index(path, at), key, 'exists in both matchLabelKeys and labelSelector');
    }
  }
}

/** Checks the tolerations of a pod. */
export function* tolerations(path: string, value: JsonValue | undefined): Errors {
  for (const [at, toleration] of objectsOf(value).entries()) {
    const own = index(path, at);
    const [key, operator] = [textOf(toleration.key), textOf(toleration.operator)];
    const effect = textOf(toleration.effect);
    if (key !== '') yield* labelKey(child(own, 'key'), key);
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      yield invalid(child(own, 'operator'), operator, detail);
    }
    if (isThere(toleration.tolerationSeconds) && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      yield invalid(child(own, 'effect'), effect, detail);
    }
    yield* tolerated(child(own, 'operator'), operator, textOf(toleration.value));
    if (effect !== '' && !EFFECTS.includes(effect)) yield notSupported(child(own, 'effect'), effect, EFFECTS);
  }
}

function* tolerated(path: string, operator: string, value: string): Errors {
  if (operator === 'Equal' || operator === '') {
    const errors = labelValueErrors(value);
    if (errors.length > 0) yield invalid(path, value, errors.join(';'));
  } else if (operator !== 'Exists') {
    yield notSupported(path, operator, ['Equal', 'Exists']);
  } else if (value !== '') {
    yield invalid(path, value, "value must be empty when `operator` is 'Exists'");
  }
}

/** Checks the taints of a node. */
export function* taints(path: string, value: JsonValue | undefined): Errors {
  const seen = new Set<string>();
  for (const [at, taint] of objectsOf(value).entries()) {
    const own = index(path, at);
    const [key, effect] = [textOf(taint.key), textOf(taint.effect)];
    yield* invalidFor(child(own, 'key'), key, labelKeyErrors(key));
    const errors = labelValueErrors(textOf(taint.value));
    if (errors.length > 0) yield invalid(child(own, 'value'), textOf(taint.value), errors.join(';'));
    if (effect === '') {
      yield required(child(own, 'effect'));
    } else if (!EFFECTS.includes(effect)) {
      yield notSupported(child(own, 'effect'), effect, EFFECTS);
    }
    if (seen.has(`${key} ${effect}`)) {
      yield { ...duplicate(own, key), detail: 'taints must be unique by key and effect pair' };
    }
    seen.add(`${key} ${effect}`);
  }
}
