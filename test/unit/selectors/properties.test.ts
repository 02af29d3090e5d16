import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  fromLabelSelector,
  fromLabels,
  labelKeyErrors,
  labelValueErrors,
  parseFieldSelector,
  parseSelector,
  SelectorError,
} from '../../../lib/selectors/index.ts';

/** A requirement as the Kubernetes page on labels describes it, independent of lib/selectors. */
interface Wish {
  readonly key: string;
  readonly verb: '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';
  readonly values: readonly string[];
}

const KEYS = ['a', 'b', 'in', 'notin', 'example.com/a', 'constructor', 'toString', 'A_b.c-d'];
const VALUES = ['', 'a', 'b', 'in', 'notin', '0', '5', '007', '12', '9223372036854775807', 'x_y.z-0'];
const NUMBERS = ['0', '5', '007', '12', '9223372036854775807'];

const key = fc.constantFrom(...KEYS);
const value = fc.constantFrom(...VALUES);
const blank = fc.constantFrom('', '', '', ' ', '\t', '\r\n', '  ');
const wish: fc.Arbitrary<Wish> = fc.oneof(
  record(fc.constantFrom('=', '==', '!='), fc.tuple(value)),
  record(fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 12 })),
  record(fc.constantFrom('exists', '!'), fc.constant([])),
  record(fc.constantFrom('>', '<'), fc.tuple(fc.constantFrom(...NUMBERS))),
);
const wishes = fc.array(wish, { maxLength: 8 });
const labels = fc.dictionary(key, fc.oneof(value, fc.constantFrom('-3', '+6', '1e3', '9223372036854775808')));

describe('label selectors', () => {
  it('a label selector matches by its requirements, with any blanks', () => {
    const example = fc.tuple(wishes, labels, fc.infiniteStream(blank));
    fc.assert(
      fc.property(example, ([asked, carried, blanks]) => {
        const selector = parseSelector(write(asked, blanks));
        const expected = asked.every((one) => isMet(one, carried));
        expect(selector.matches(carried)).toBe(expected);
        expect(selector.matches(new Map(Object.entries(carried)))).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('a label selector is read back unchanged from its text', () => {
    fc.assert(
      fc.property(wishes, fc.infiniteStream(blank), (asked, blanks) => {
        const selector = parseSelector(write(asked, blanks));
        const again = parseSelector(selector.toString());
        expect(again.toString()).toBe(selector.toString());
        expect(again.requirements.map(parts)).toEqual(selector.requirements.map(parts));
        expect(selector.requirements.map(({ key }) => key)).toEqual(asked.map(({ key }) => key).sort());
      }),
      { numRuns: 2000 },
    );
  });

  it('a label selector agrees with a LabelSelector object of the same requirements', () => {
    const operators = new Map([
      ['in', 'In'],
      ['notin', 'NotIn'],
      ['exists', 'Exists'],
      ['!', 'DoesNotExist'],
    ]);
    const ofObjects = wishes.map((asked) => asked.filter(({ verb }) => operators.has(verb)));
    fc.assert(
      fc.property(
        ofObjects,
        labels,
        labels,
        fc.infiniteStream(blank),
        (asked, matchLabels, carried, blanks) => {
          fc.pre(Object.values(matchLabels).every((text) => labelValueErrors(text).length === 0));
          const matchExpressions = asked.map(({ key, verb, values }) => ({
            key,
            operator: operators.get(verb),
            values,
          }));
          const object = fromLabelSelector({ matchLabels, matchExpressions });
          const map = fromLabels(matchLabels);
          const text = parseSelector(write(asked, blanks));
          expect(object.matches(carried)).toBe(
            Object.entries(matchLabels).every(
              ([name, wanted]) => carried[name] === wanted && Object.hasOwn(carried, name),
            ) && asked.every((one) => isMet(one, carried)),
          );
          expect(object.matches(carried)).toBe(map.matches(carried) && text.matches(carried));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('parseSelector reads any text or throws a SelectorError, and parsed keys and values are valid', () => {
    const piece = fc.constantFrom(...'ab!=(),<> \t\0é-./5', 'in', 'notin', '==', '!=');
    const pieces = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string(), pieces), (written) => {
        const selector = accepted(() => parseSelector(written));
        for (const requirement of selector?.requirements ?? []) {
          expect(labelKeyErrors(requirement.key)).toEqual([]);
          expect(requirement.values.flatMap(labelValueErrors)).toEqual([]);
        }
        if (selector) expect(`${parseSelector(selector.toString())}`).toBe(`${selector}`);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('The meaning of field selectors', () => {
  const field = fc.constantFrom('a', 'metadata.name', 'status.phase');
  const text = fc
    .array(fc.constantFrom('a', 'b', ' ', ',', '=', '\\', '!', 'é'), { maxLength: 6 })
    .map((all) => all.join(''));
  const terms = fc.array(fc.record({ field, operator: fc.constantFrom('=', '==', '!='), value: text }), {
    maxLength: 5,
  });

  it('a field selector matches by its requirements, also after a round trip through its text', () => {
    fc.assert(
      fc.property(terms, fc.dictionary(field, text), (asked, fields) => {
        const written = asked.map((term) => `${term.field}${term.operator}${escapeValue(term.value)}`).join();
        const selector = parseFieldSelector(written);
        const again = parseFieldSelector(selector.toString());
        const expected = asked.every(
          (term) => ((fields[term.field] ?? '') === term.value) !== (term.operator === '!='),
        );
        expect(selector.matches((name) => fields[name])).toBe(expected);
        expect(again.matches((name) => fields[name])).toBe(expected);
        expect(new Set(again.requirements.map((term) => JSON.stringify(term)))).toEqual(
          new Set(selector.requirements.map((term) => JSON.stringify(term))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('parseFieldSelector reads any text or throws a SelectorError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), text), (written) => {
        const selector = accepted(() => parseFieldSelector(written));
        expect(selector === undefined || selector.isEmpty === (selector.requirements.length === 0)).toBe(
          true,
        );
      }),
      { numRuns: 3000 },
    );
  });
});

function record<V extends Wish['verb']>(
  verb: fc.Arbitrary<V>,
  values: fc.Arbitrary<string[]>,
): fc.Arbitrary<Wish> {
  return fc.record({ key, verb, values });
}

function isMet({ key, verb, values }: Wish, carried: Readonly<Record<string, string>>): boolean {
  const actual = new Map(Object.entries(carried)).get(key);
  switch (verb) {
    case 'exists':
      return actual !== undefined;
    case '!':
      return actual === undefined;
    case '=':
    case '==':
    case 'in':
      return actual !== undefined && values.some((one) => one === actual);
    case '!=':
    case 'notin':
      return actual === undefined || !values.some((one) => one === actual);
    case '>':
    case '<': {
      if (actual === undefined || !/^[-+]?\d+$/.test(actual)) return false;
      const number = BigInt(actual.replace('+', ''));
      if (BigInt.asIntN(64, number) !== number) return false;
      const bound = BigInt(values[0] ?? '');
      return verb === '>' ? number > bound : number < bound;
    }
    default:
      throw verb satisfies never;
  }
}

function write(asked: readonly Wish[], blanks: Iterator<string>): string {
  const gap = () => String(blanks.next().value);
  const one = ({ key, verb, values }: Wish): string => {
    if (verb === 'exists') return key;
    if (verb === '!') return `!${gap()}${key}`;
    if (verb !== 'in' && verb !== 'notin') return `${key}${gap()}${verb}${gap()}${values.join('')}`;
    return `${key} ${gap()}${verb}${gap()}(${[...new Set(values)].map((each) => gap() + each + gap()).join()})`;
  };
  return asked.map((each) => gap() + one(each) + gap()).join();
}

function parts({ key, operator, values }: { key: string; operator: string; values: readonly string[] }) {
  return { key, operator, values };
}

function escapeValue(text: string): string {
  return [...text].map((character) => (',=\\'.includes(character) ? `\\${character}` : character)).join('');
}

function accepted<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(SelectorError);
    return undefined;
  }
}
