import { type JsonObject, objectAt } from '../../../json/index.ts';
import { labelKeyErrors } from '../../../selectors/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  invalidPrinted,
  key,
  required,
} from '../../field-errors/index.ts';
import { containerResourceName, nanosOf, resourceName } from '../containers/index.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { goQuantity } from '../go-values.ts';
import { entriesOf, isThere, objectsOf, textOf } from '../reading.ts';

const TYPES = ['Container', 'PersistentVolumeClaim', 'Pod'];
const ONE = 1_000_000_000n;

export function* limitRange({ spec }: JsonObject): Errors {
  const types = new Set<string>();
  for (const [at, limit] of objectsOf(objectAt(spec).limits).entries()) {
    const own = index('spec.limits', at);
    const type = textOf(limit.type);
    yield* typeName(child(own, 'type'), type);
    if (types.has(type)) yield duplicate(child(own, 'type'), type);
    types.add(type);
    yield* names(own, limit);
    for (const name of namesIn(limit)) yield* bounds(own, limit, name);
  }
}

function* typeName(path: string, type: string): Errors {
  const errors = labelKeyErrors(type);
  yield* invalidFor(path, type, errors);
  if (errors.length === 0 && !type.includes('/') && !TYPES.includes(type)) {
    yield invalid(path, type, 'must be a standard limit type or fully qualified');
  }
}

function* names(path: string, limit: JsonObject): Errors {
  const { type } = limit;
  const ofContainers = type === 'Pod' || type === 'Container';
  const check = ofContainers ? containerResourceName : resourceName;
  for (const field of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']) {
    const own = child(path, field);
    const given = entriesOf(limit[field]).map(([name]) => name);
    if (field === 'maxLimitRequestRatio') yield* storage(path, limit);
    if (type === 'Pod' && field.startsWith('default')) {
      if (given.length > 0) yield forbidden(own, "may not be specified when `type` is 'Pod'");
      continue;
    }
    for (const name of given) yield* check(key(own, name), name);
  }
}

function* storage(path: string, { type, min, max }: JsonObject): Errors {
  if (type !== 'PersistentVolumeClaim') return;
  if (isThere(objectAt(min).storage) || isThere(objectAt(max).storage)) return;
  const detail = 'either minimum or maximum storage value is required, but neither was provided';
  yield required(child(path, 'limits'), detail);
}

function namesIn(limit: JsonObject): string[] {
  const fields = [
    'max',
    'min',
    'maxLimitRequestRatio',
    ...(limit.type === 'Pod' ? [] : ['default', 'defaultRequest']),
  ];
  return [...new Set(fields.flatMap((field) => Object.keys(objectAt(limit[field]))))];
}

/**
 * Pairs of amounts of which the first may not exceed the second: their names, the amount in the error, and its field.
 */
const PAIRS = [
  { less: 'min', more: 'max', told: 'min', lessWord: 'min', moreWord: 'max', at: 'min' },
  {
    less: 'min',
    more: 'defaultRequest',
    told: 'defaultRequest',
    lessWord: 'min',
    moreWord: 'default request',
    at: 'defaultRequest',
  },
  {
    less: 'defaultRequest',
    more: 'max',
    told: 'defaultRequest',
    lessWord: 'default request',
    moreWord: 'max',
    at: 'defaultRequest',
  },
  {
    less: 'defaultRequest',
    more: 'default',
    told: 'defaultRequest',
    lessWord: 'default request',
    moreWord: 'default limit',
    at: 'defaultRequest',
  },
  { less: 'min', more: 'default', told: 'min', lessWord: 'min', moreWord: 'default', at: 'default' },
  { less: 'default', more: 'max', told: 'max', lessWord: 'default', moreWord: 'max', at: 'default' },
] as const;

function* bounds(path: string, limit: JsonObject, name: string): Errors {
  const amount = (field: string) => {
    const found = objectAt(limit[field])[name];
    return typeof found === 'string' ? found : undefined;
  };
  for (const { less, more, told, lessWord, moreWord, at } of PAIRS) {
    const [left, right] = [amount(less), amount(more)];
    if (left === undefined || right === undefined || nanosOf(left) <= nanosOf(right)) continue;
    const detail = `${lessWord} value ${left} is greater than ${moreWord} value ${right}`;
    yield invalidPrinted(key(child(path, at), name), goQuantity(amount(told), true), detail);
  }
  const ratio = amount('maxLimitRequestRatio');
  if (ratio === undefined) return;
  const own = key(child(path, 'maxLimitRequestRatio'), name);
  if (nanosOf(ratio) < ONE) {
    yield invalidPrinted(own, goQuantity(ratio, true), `ratio ${ratio} is less than 1`);
  }
  const [least, most] = [amount('min'), amount('max')];
  if (least === undefined || most === undefined) return;
  const largest = Number(nanosOf(most)) / Number(nanosOf(least));
  if (Number(nanosOf(ratio)) / Number(ONE) <= largest) return;
  const detail = `ratio ${ratio} is greater than max/min = ${largest.toFixed(6)}`;
  yield invalidPrinted(own, goQuantity(ratio, true), detail);
}
