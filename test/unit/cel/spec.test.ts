import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { checkNew } from '../../../lib/cel/definitions.ts';
import {
  CelError,
  compile,
  type Environment,
  ExpressionError,
  environmentOf,
  Meter,
  ProgramError,
  type Type,
  types,
  type Value,
} from '../../../lib/cel/index.ts';
import { LIBRARIES } from '../../../lib/cel/libraries/index.ts';
import { loadPatterns, type Patterns } from '../../../lib/kubernetes/schemas/patterns.ts';
import { show, typeText } from '../../cel/oracle/show.ts';
import { showTree } from '../../cel/oracle/show-tree.ts';

/** A test of cel-spec with the answer of Kubernetes' CEL. test/cel/oracle/spec writes them. */
interface SpecTest {
  readonly name: string;
  readonly expression: string;
  readonly types?: Readonly<Record<string, Type>>;
  /** Variables, as literals of CEL. */
  readonly bindings?: Readonly<Record<string, string>>;
  readonly value?: string;
  readonly type?: string;
  readonly fails?: boolean;
  /** The checked tree, if the expression compiles. */
  readonly tree?: string;
}

const TESTS = gunzipSync(readFileSync(join(import.meta.dirname, 'spec.jsonl.gz')))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as SpecTest);

let patterns: Patterns;
beforeAll(async () => {
  patterns = await loadPatterns();
});

test.each([...Map.groupBy(TESTS, ({ name }) => name.replace(/\/.*/s, ''))])(
  "Winnow answers cel-spec's tests as Kubernetes does: %s",
  (_, tests) => {
    const wrong = tests.flatMap((each) => {
      const got = answer(each);
      const wanted = each.fails === true ? 'an error' : [each.type, each.value].filter(Boolean).join(' = ');
      return got === wanted ? [] : [`${each.name}: ${each.expression} is ${got}, not ${wanted}`];
    });
    expect(wrong).toEqual([]);
  },
);

test('the expressions of cel-spec that compile have the checked trees of cel-go, with its ids', () => {
  const compiling = TESTS.filter(({ tree }) => tree !== undefined);
  const wrong = compiling.flatMap((each) => {
    const got = showTree(checkNew(each.expression, environmentFor(each), regexes));
    return got === each.tree ? [] : [{ expression: each.expression, got, wanted: each.tree }];
  });
  expect(wrong).toEqual([]);
  expect(compiling.length).toBeGreaterThanOrEqual(1232);
});

function regexes(pattern: string) {
  return patterns.regexOf(pattern);
}

function environmentFor({ types: declared = {}, bindings = {} }: SpecTest): Environment {
  const variables = new Map(Object.entries(declared).map(([name, of]) => [name, { name, type: of }]));
  for (const name of Object.keys(bindings)) {
    if (!variables.has(name)) variables.set(name, { name, type: types.DYN });
  }
  return { ...environmentOf('stored', LIBRARIES), variables };
}

function answer(test: SpecTest): string {
  const { expression, bindings = {}, type, value } = test;
  const environment = environmentFor(test);
  const bound = new Map(
    Object.entries(bindings).map(([name, text]) => [name, evaluate(text, environment).value]),
  );
  try {
    const got = evaluate(expression, environment, (name) => bound.get(name));
    const shown = value === undefined && type !== undefined ? [] : [show(got.value)];
    return got.value instanceof CelError
      ? 'an error'
      : [...(type === undefined ? [] : [got.type]), ...shown].join(' = ');
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof ProgramError) return 'an error';
    throw error;
  }
}

function evaluate(
  text: string,
  environment: Environment,
  variable: (name: string) => Value | undefined = () => undefined,
): { readonly type: string; readonly value: Value } {
  const checked = checkNew(text, environment, regexes);
  const program = compile(checked, { ...environment, regexes });
  return { type: typeText(checked.type), value: program.evaluate(variable, new Meter({ cost: 1_000_000 })) };
}
