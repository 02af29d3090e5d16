import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  formatFieldError,
  fromLabelSelector,
  labelKeyErrors,
  labelValueErrors,
  parseFieldSelector,
  parseSelector,
  SelectorError,
} from '../../../lib/selectors/index.ts';

/**
 * The answers of Kubernetes itself. `golden/record.go` recorded `golden/golden.json` from the Go package
 * k8s.io/apimachinery (pkg/labels, pkg/fields, pkg/util/validation, and LabelSelector from pkg/apis/meta/v1).
 */
interface Answer {
  readonly error?: string;
  readonly text: string;
  /** One character for each set: `+` if it matches, `-` if not. */
  readonly matches?: string;
}

interface Case {
  readonly input: unknown;
  readonly answer: Answer;
}

interface Golden {
  readonly labelSets: readonly object[];
  readonly fieldSets: readonly object[];
  readonly labels: readonly Case[];
  readonly objects: readonly Case[];
  readonly fields: readonly Case[];
  /** `rules` holds the indexes of the error messages for each rule, in the order of `RULES`. */
  readonly names: readonly {
    readonly input: string;
    readonly quoted: string;
    readonly rules: readonly number[][];
  }[];
  readonly messages: readonly string[];
}

const RULES = [
  labelKeyErrors,
  labelValueErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  dns1035LabelErrors,
];

const golden: Golden = JSON.parse(readFileSync(new URL('./golden/golden.json', import.meta.url), 'utf8'));
const labelSets: readonly Record<string, string>[] = golden.labelSets.map(copy);
const fieldSets: readonly Record<string, string>[] = golden.fieldSets.map(copy);

describe('answers recorded from k8s.io/apimachinery', () => {
  it.each(named(golden.labels))('the label selector %s matches alike', (_title, { input, answer }) => {
    expect(answerOf(() => labelAnswer(parseSelector(String(input))))).toEqual(answer);
  });

  it.each(named(golden.objects))('the LabelSelector object %s is read alike', (_title, { input, answer }) => {
    expect(answerOf(() => labelAnswer(fromLabelSelector(input, 'spec.selector')))).toEqual(answer);
  });

  it.each(named(golden.fields))('the field selector %s matches alike', (_title, { input, answer }) => {
    const ours = answerOf(() => {
      const selector = parseFieldSelector(String(input));
      return {
        text: selector.toString(),
        matches: signs(fieldSets, (set) => selector.matches((f) => set[f])),
      };
    });
    expect(ours).toEqual(answer);
  });

  it.each(golden.names.map((name) => [JSON.stringify(name.input), name] as const))(
    'the name rules give the recorded messages for %s',
    (_title, name) => {
      expect(RULES.map((rule) => rule(name.input))).toEqual(
        name.rules.map((messages) => messages.map((message) => golden.messages[message])),
      );
      expect(formatFieldError({ type: 'Invalid', field: 'a', value: name.input, detail: '' })).toBe(
        `a: Invalid value: ${name.quoted}`,
      );
    },
  );
});

function named(cases: readonly Case[]): [string, Case][] {
  return cases.map((example) => [JSON.stringify(example.input), example]);
}

/** Copies the set to an object without a prototype, so that `constructor` is not an inherited field. */
function copy(set: object): Record<string, string> {
  return Object.assign(Object.create(null), set);
}

function labelAnswer(selector: ReturnType<typeof parseSelector>): Answer {
  return { text: selector.toString(), matches: signs(labelSets, (set) => selector.matches(set)) };
}

function signs<T>(sets: readonly T[], matches: (set: T) => boolean): string {
  return sets.map((set) => (matches(set) ? '+' : '-')).join('');
}

function answerOf(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message, text: '' };
    throw error;
  }
}
