import type { FieldError } from './field-error.ts';
import { invalid, labelKeyErrors, labelValueErrors, typeInvalid, validateLabels } from './label-syntax.ts';
import { isRecord } from './labels.ts';
import { createRequirement, type LabelRequirement, type Operator } from './requirement.ts';
import { createSelector, nothing, type Selector } from './selector.ts';
import { SelectorError } from './selector-error.ts';

/**
 * LabelSelectorRequirement.operator:
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/label-selector/
 */
const OPERATORS: ReadonlyMap<unknown, Operator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * Converts a LabelSelector object (`matchLabels` and `matchExpressions` together) to a selector. As in
 * metav1.LabelSelectorAsSelector, an absent object is `nothing` and an empty one is `everything`. A null inside it
 * counts as empty: `matchLabels: {a: null}` means `a=`, as in Kubernetes' decoder.
 * @param path the object's path, for the errors: `spec.selector`
 * @throws SelectorError with every error, in the words of Kubernetes' ValidateLabelSelector
 */
export function fromLabelSelector(object: unknown, path = ''): Selector {
  if (object === undefined || object === null) return nothing;
  const read = readLabelSelector(object, path);
  if (read.errors.length > 0) throw SelectorError.of(read.errors);
  return createSelector(read.requirements);
}

/**
 * Converts a plain map (`spec.selector` of a Service or a ReplicationController) to a selector that requires every
 * entry. As in labels.SelectorFromSet, an absent or empty map is `everything`. The caller decides what a missing
 * selector means for its kind.
 * @throws SelectorError with every error
 */
export function fromLabels(map: unknown, path = 'selector'): Selector {
  const read = readMap(map, path);
  if (read.errors.length > 0) throw SelectorError.of(read.errors);
  return createSelector(read.requirements);
}

interface Reading {
  readonly requirements: readonly LabelRequirement[];
  readonly errors: readonly FieldError[];
}

function readLabelSelector(object: unknown, path: string): Reading {
  if (!isRecord(object)) return refuse(typeInvalid(path || '<nil>', object, 'must be a label selector'));
  const prefix = path === '' ? '' : `${path}.`;
  const labels = readMap(object.matchLabels, `${prefix}matchLabels`);
  const expressions = readExpressions(object.matchExpressions, `${prefix}matchExpressions`);
  return {
    requirements: [...labels.requirements, ...expressions.requirements],
    errors: [...labels.errors, ...expressions.errors],
  };
}

function readMap(map: unknown, path: string): Reading {
  const errors = validateLabels(map, path);
  if (errors.length > 0 || !isRecord(map)) return { requirements: [], errors };
  const entries = Object.entries(map);
  return {
    requirements: entries.map(([key, value]) => createRequirement(key, '=', [String(value ?? '')])),
    errors,
  };
}

function readExpressions(list: unknown, path: string): Reading {
  if (list === undefined || list === null) return { requirements: [], errors: [] };
  if (!Array.isArray(list)) return refuse(typeInvalid(path, list, 'must be a list'));
  const readings = list.map((expression, index) => readExpression(expression ?? {}, `${path}[${index}]`));
  return {
    requirements: readings.flatMap((reading) => reading.requirements),
    errors: readings.flatMap((reading) => reading.errors),
  };
}

function readExpression(expression: unknown, path: string): Reading {
  if (!isRecord(expression)) {
    return refuse(typeInvalid(path, expression, 'must be a label selector requirement'));
  }
  const key = expression.key ?? '';
  const values = emptyForNull(expression.values ?? []);
  if (typeof key !== 'string') return refuse(typeInvalid(`${path}.key`, key, 'must be a string'));
  if (!isStrings(values)) return refuse(typeInvalid(`${path}.values`, values, 'must be a list of strings'));
  const operator = OPERATORS.get(expression.operator);
  const errors = [
    ...operatorErrors({ written: expression.operator ?? '', operator, count: values.length, path }),
    ...labelKeyErrors(key).map((detail) => invalid(`${path}.key`, key, detail)),
    ...values.flatMap((value, index) =>
      labelValueErrors(value).map((detail) => invalid(`${path}.values[${index}]`, value, detail)),
    ),
  ];
  const requirements = operator === undefined ? [] : [createRequirement(key, operator, values)];
  return { requirements, errors };
}

function operatorErrors(expression: {
  written: unknown;
  operator: Operator | undefined;
  count: number;
  path: string;
}): FieldError[] {
  const { written, operator, count, path } = expression;
  if (operator === undefined) return [invalid(`${path}.operator`, written, 'not a valid selector operator')];
  const takesValues = operator === 'in' || operator === 'notin';
  const field = `${path}.values`;
  if (takesValues && count === 0) {
    return [{ type: 'Required', field, detail: "must be specified when `operator` is 'In' or 'NotIn'" }];
  }
  if (!takesValues && count > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [{ type: 'Forbidden', field, detail }];
  }
  return [];
}

/** Replaces nulls with empty strings, as Kubernetes' decoder does for a list of strings. */
function emptyForNull(list: unknown): unknown {
  return Array.isArray(list) ? list.map((item) => item ?? '') : list;
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function refuse(error: FieldError): Reading {
  return { requirements: [], errors: [error] };
}
