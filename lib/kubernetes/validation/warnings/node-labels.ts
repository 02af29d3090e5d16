import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { labelValueErrors } from '../../../selectors/index.ts';
import { child, index, key } from '../../field-errors/index.ts';
import { objectsOf, textOf, textsOf } from '../reading.ts';

/** The labels of nodes that Kubernetes does not set any more (k8s.io/kubernetes/pkg/api/node). */
const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Warns of a key that is a deprecated label: `path: message`. */
export function* deprecatedLabel(path: string, label: string): Generator<string> {
  const message = DEPRECATED.get(label);
  if (message !== undefined) yield `${path}: ${message}`;
}

/** Warns as {@link deprecatedLabel}, and names the label: `path: label is message`. */
export function* deprecatedKey(path: string, label: string): Generator<string> {
  const message = DEPRECATED.get(label);
  if (message !== undefined) yield `${path}: ${label} is ${message}`;
}

/** Warns of the labels of a `nodeSelector`. */
export function* nodeSelectorWarnings(path: string, selector: JsonValue | undefined): Generator<string> {
  for (const label of Object.keys(objectAt(selector))) yield* deprecatedLabel(key(path, label), label);
}

/** Warns of the keys of a term of a node affinity. `checksValues` also warns of values that no label can have. */
export function* nodeTermWarnings(
  path: string,
  term: JsonValue | undefined,
  { checksValues = false } = {},
): Generator<string> {
  for (const [at, expression] of objectsOf(objectAt(term).matchExpressions).entries()) {
    const own = index(child(path, 'matchExpressions'), at);
    yield* deprecatedKey(child(own, 'key'), textOf(expression.key));
    if (checksValues) yield* valueWarnings(own, expression);
  }
}

function* valueWarnings(path: string, { values }: JsonObject): Generator<string> {
  for (const [at, value] of textsOf(values).entries()) {
    for (const error of labelValueErrors(value)) {
      yield `${index(child(path, 'values'), at)}: ${value} is invalid, ${error}`;
    }
  }
}

/** Warns of the keys of a label selector of nodes. */
export function* labelSelectorWarnings(path: string, selector: JsonValue | undefined): Generator<string> {
  const { matchLabels } = objectAt(selector);
  yield* nodeTermWarnings(path, selector);
  for (const label of Object.keys(objectAt(matchLabels))) {
    yield* deprecatedLabel(child(child(path, 'matchLabels'), label), label);
  }
}
