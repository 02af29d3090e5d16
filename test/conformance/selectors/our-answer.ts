import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  formatFieldError,
  fromLabelSelector,
  fromLabels,
  labelKeyErrors,
  labelValueErrors,
  parseFieldSelector,
  parseSelector,
  type Selector,
  SelectorError,
  Vocabulary,
  validateLabels,
} from '../../../lib/selectors/index.ts';
import type { Case } from './cases.ts';
import type { Answer } from './oracle.ts';

const NAME_RULES = [
  labelKeyErrors,
  labelValueErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  dns1035LabelErrors,
];
/** field.ErrorType, as Go spells it. */
const ERROR_TYPES: Partial<Record<FieldError['type'], string>> = {
  Invalid: 'FieldValueInvalid',
  Required: 'FieldValueRequired',
  Forbidden: 'FieldValueForbidden',
  NotSupported: 'FieldValueNotSupported',
};
const EMPTY: Answer = {
  refused: false,
  error: '',
  text: '',
  empty: false,
  requirements: null,
  matches: null,
  fieldErrors: null,
  nameErrors: null,
};

export function answer(asked: Case): Answer {
  switch (asked.kind) {
    case 'label':
      return unlessRefused(() => describe(parseSelector(asked.text), asked.sets));
    case 'object':
      return unlessRefused(
        () => describe(fromLabelSelector(asked.selector, 'spec.selector'), asked.sets),
        true,
      );
    case 'map': {
      const fieldErrors = describeErrors(validateLabels(asked.map));
      return { ...unlessRefused(() => describe(fromLabels(asked.map), asked.sets)), fieldErrors };
    }
    case 'field':
      return unlessRefused(() => describeFields(asked.text, asked.sets));
    case 'name':
      return {
        ...EMPTY,
        text: formatFieldError({ type: 'Invalid', field: 'a', value: asked.text, detail: '' }),
        nameErrors: NAME_RULES.map((rule) => orNull(rule(asked.text))),
      };
    default:
      throw asked satisfies never;
  }
}

function unlessRefused(create: () => Answer, tellFields = false): Answer {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    const fieldErrors = tellFields ? describeErrors(error.errors) : null;
    return { ...EMPTY, refused: true, error: error.message, fieldErrors };
  }
}

function describe(selector: Selector, sets: readonly Record<string, string>[]): Answer {
  return {
    ...EMPTY,
    text: selector.toString(),
    empty: selector.isEmpty,
    requirements: orNull(
      selector.requirements.map(({ key, operator, values }) => ({ key, operator, values })),
    ),
    matches: sets.map((labels) => matchEveryWay(selector, labels)),
  };
}

/**
 * Matches a label set as a record, as a Map, interned, in a list, and against several compiled selectors.
 * @throws if the results differ
 */
function matchEveryWay(selector: Selector, labels: Record<string, string>): boolean {
  const vocabulary = new Vocabulary();
  const compiled = vocabulary.compile(selector);
  const interned = vocabulary.labelSet(labels);
  const found = new Int32Array(1);
  const plain = selector.matches(labels);
  const others = {
    map: selector.matches(new Map(Object.entries(labels))),
    interned: compiled.matches(interned),
    listed: compiled.select(vocabulary.labelSets([labels]), found) === 1,
    dispatched: vocabulary.compileAll([selector]).select(interned, found) === 1,
  };
  if (Object.values(others).some((matched) => matched !== plain)) {
    throw new Error(`${selector} on ${JSON.stringify(labels)}: ${plain}, but ${JSON.stringify(others)}`);
  }
  return plain;
}

function describeFields(text: string, sets: readonly Record<string, string>[]): Answer {
  const selector = parseFieldSelector(text);
  return {
    ...EMPTY,
    text: selector.toString(),
    empty: selector.isEmpty,
    requirements: orNull(
      selector.requirements.map(({ field, operator, value }) => ({ key: field, operator, values: [value] })),
    ),
    matches: sets.map((set) =>
      selector.matches((field) => (Object.hasOwn(set, field) ? set[field] : undefined)),
    ),
  };
}

/** Type and text of each error, sorted; null where there is none. */
export function describeErrors(errors: readonly FieldError[]): readonly string[] | null {
  return orNull(errors.map((error) => `${ERROR_TYPES[error.type]} ${formatFieldError(error)}`).sort(byBytes));
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Go writes an empty list as null. */
function orNull<T>(items: readonly T[]): readonly T[] | null {
  return items.length === 0 ? null : items;
}
