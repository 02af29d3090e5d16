import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  type FieldError,
  formatFieldError,
  fromNodeSelector,
  type NodeView,
  readNodeSelector,
  SelectorError,
  validateNodeSelector,
} from '../../../lib/selectors/index.ts';

/**
 * The answers of Kubernetes itself. `golden/record-nodes.go` recorded `golden/nodes.json` from the API server's
 * validation and from the scheduler's package nodeaffinity.
 */
interface Golden {
  readonly nodes: readonly NodeView[];
  readonly cases: readonly { readonly input: unknown; readonly answer: Answer }[];
}

interface Answer {
  readonly validation: readonly RecordedError[];
  readonly errors: readonly RecordedError[];
  readonly message: string;
  /** One character for each node: `+` if it matches, `-` if not. */
  readonly matches: string;
}

interface RecordedError {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}

const PATH = 'spec.required';
const golden: Golden = JSON.parse(readFileSync(new URL('./golden/nodes.json', import.meta.url), 'utf8'));

describe('answers about node selectors recorded from Kubernetes', () => {
  it.each(golden.cases.map((example) => [JSON.stringify(example.input).slice(0, 200), example] as const))(
    '%s',
    (_title, { input, answer }) => {
      const { selector, errors } = readNodeSelector(input, PATH);
      expect({
        validation: validateNodeSelector(input, PATH).map(recorded),
        errors: errors.map(recorded),
        message: refusal(() => fromNodeSelector(input, PATH))?.message ?? '',
        matches: golden.nodes.map((node) => (selector.matches(node) ? '+' : '-')).join(''),
      }).toEqual(answer);
    },
  );
});

describe('a node selector', () => {
  it('a node selector matches if one of its terms does, and a term matches if all of its parts do', () => {
    const selector = fromNodeSelector({
      nodeSelectorTerms: [
        { matchExpressions: [requirement('zone', 'In', 'a', 'b'), requirement('cpus', 'Gt', '4')] },
        { matchFields: [requirement('metadata.name', 'In', 'spare')] },
      ],
    });
    expect(selector.terms.map(({ labels, fields }) => [`${labels}`, `${fields}`])).toEqual([
      ['cpus>4,zone in (a,b)', ''],
      ['', 'metadata.name=spare'],
    ]);
    expect(selector.matches({ name: 'n', labels: { zone: 'b', cpus: '8' } })).toBe(true);
    expect(selector.matches({ name: 'n', labels: new Map([['zone', 'b']]) })).toBe(false);
    expect(selector.matches({ name: 'spare', labels: {} })).toBe(true);
  });

  it('fromNodeSelector refuses an unreadable term, and readNodeSelector skips it', () => {
    const object = {
      nodeSelectorTerms: [
        { matchExpressions: [requirement('cpus', 'Gt', 'many')] },
        { matchExpressions: [requirement('zone', 'Exists')] },
      ],
    };
    expect(refusal(() => fromNodeSelector(object))?.errors.map(({ type, field }) => [type, field])).toEqual([
      ['Invalid', 'nodeSelectorTerms[0].matchExpressions[0].values[0]'],
    ]);
    expect(validateNodeSelector(object)).toEqual([]);
    const { selector, errors } = readNodeSelector(object);
    expect(errors).toHaveLength(1);
    expect(selector.matches({ labels: { zone: 'a', cpus: '8' } })).toBe(true);
    expect(selector.matches({ labels: { cpus: '8' } })).toBe(false);
  });

  const MISSHAPEN = [
    [undefined, 'spec'],
    [null, 'spec'],
    ['text', 'spec'],
    [{ nodeSelectorTerms: {} }, 'spec.nodeSelectorTerms'],
    [{ nodeSelectorTerms: [1] }, 'spec.nodeSelectorTerms[0]'],
    [{ nodeSelectorTerms: [{ matchFields: 1 }] }, 'spec.nodeSelectorTerms[0].matchFields'],
    [{ nodeSelectorTerms: [{ matchExpressions: ['a'] }] }, 'spec.nodeSelectorTerms[0].matchExpressions[0]'],
    [expression({ key: 1 }), 'spec.nodeSelectorTerms[0].matchExpressions[0].key'],
    [expression({ operator: 1 }), 'spec.nodeSelectorTerms[0].matchExpressions[0].operator'],
    [expression({ values: 'a' }), 'spec.nodeSelectorTerms[0].matchExpressions[0].values'],
    [expression({ values: ['a', 1] }), 'spec.nodeSelectorTerms[0].matchExpressions[0].values[1]'],
  ] as const;

  it.each(MISSHAPEN)('a node selector of the shape %j is refused at %s', (object, field) => {
    const expected = [{ type: 'TypeInvalid', field }];
    expect(validateNodeSelector(object, 'spec')).toMatchObject(expected);
    expect(refusal(() => fromNodeSelector(object, 'spec'))?.errors).toMatchObject(expected);
    expect(readNodeSelector(object, 'spec').selector.matches({ name: 'n', labels: {} })).toBe(false);
  });

  it('a node selector of hostile size is read in linear time', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
    const terms = values.map((value) => ({ matchExpressions: [requirement('x', 'In', value)] }));
    const selector = fromNodeSelector({
      nodeSelectorTerms: [...terms, { matchExpressions: [requirement('x', 'NotIn', ...values)] }],
    });
    expect(selector.matches({ labels: { x: 'v99999' } })).toBe(true);
    const badValues = expression({ key: 'x', operator: 'In', values: values.map(() => '-') });
    expect(refusal(() => fromNodeSelector(badValues))?.errors).toHaveLength(values.length);
    const badKey = expression({ key: 'a-'.repeat(500_000), operator: 'In', values: values.map(() => '-') });
    expect(refusal(() => fromNodeSelector(badKey))?.errors).toHaveLength(1);
  });
});

/** The names of field.ErrorType in Go. */
const GO_TYPES: Readonly<Record<string, string>> = {
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Forbidden: 'FieldValueForbidden',
};

function recorded(error: FieldError): RecordedError {
  return { type: GO_TYPES[error.type] ?? error.type, field: error.field, message: formatFieldError(error) };
}

function requirement(key: string, operator: string, ...values: string[]) {
  return { key, operator, values };
}

function expression(parts: object) {
  return { nodeSelectorTerms: [{ matchExpressions: [parts] }] };
}

function refusal(run: () => unknown): SelectorError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
}
