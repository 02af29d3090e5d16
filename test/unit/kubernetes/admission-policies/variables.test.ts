import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { createOf, denialOf } from './support.ts';

function withVariables(variables: JsonObject, expression: string): JsonObject {
  return {
    variables: Object.entries(variables).map(([name, each]) => ({ name, expression: each })),
    validations: [{ expression }],
  };
}

test('An expression reads variables, and a variable those before it', () => {
  const variables = { replicas: 'object.spec.replicas', double: 'variables.replicas * 2' };
  const object = { spec: { replicas: 2 } };
  expect(denialOf({ spec: withVariables(variables, 'variables.double == 4'), object })).toBeUndefined();
  expect(denialOf({ spec: withVariables(variables, 'variables.double == 5'), object })).toBe(
    'failed expression: variables.double == 5',
  );
});

test('A variable is evaluated only if an expression reads it', () => {
  const spec = withVariables({ broken: 'object.missing', fine: '1' }, 'variables.fine == 1');
  expect(denialOf({ spec })).toBeUndefined();
});

test('The error of a variable is that of the expressions that read it, unless they absorb it', () => {
  const variables = { broken: 'object.missing' };
  expect(denialOf({ spec: withVariables(variables, 'variables.broken == 1') })).toBe(
    'expression \'variables.broken == 1\' resulted in error: composited variable "broken" fails to evaluate: no such key: missing',
  );
  expect(denialOf({ spec: withVariables(variables, 'variables.broken == 1 || true') })).toBeUndefined();
});

test('A variable that does not compile is dynamic, and fails where it is read', () => {
  expect(denialOf({ spec: withVariables({ wrong: '1 +' }, 'variables.wrong == 1') })).toMatch(
    /^expression 'variables.wrong == 1' resulted in error: composited variable "wrong" fails to compile: compilation failed: ERROR: <input>:1:4: /,
  );
});

test.each([
  ['number', '1', "variables.number == 'a'"],
  ['texts', "['a']", 'variables.texts[0] == 1'],
  ['sizes', "{'a': 1}", "variables.sizes['a'] == 'b'"],
])('Other expressions know the type of the variable %s', (name, text, expression) => {
  expect(denialOf({ spec: withVariables({ [name]: text }, expression) })).toMatch(
    /^compilation error: compilation failed: .*found no matching overload for '_==_'/s,
  );
});

test.each([
  ['address', "ip('10.0.0.1')", 'variables.address.family() == 4'],
  ['asker', 'authorizer', "!variables.asker.path('/x').check('get').allowed()"],
  ['user', 'request.userInfo', "variables.user.username == 'jane' && variables.user.any != 1"],
])('The type of the variable %s is dynamic in other expressions', (name, text, expression) => {
  const failed = denialOf({ spec: withVariables({ [name]: text }, expression), attributes: createOf({}) });
  expect(failed ?? '').not.toMatch(/compilation/);
});

test('A variable that no expression declares before is unknown', () => {
  const spec = withVariables({ one: 'variables.two', two: '1' }, 'variables.one == 1');
  expect(denialOf({ spec })).toMatch(/undefined field 'two'/);
  expect(denialOf({ spec: withVariables({}, 'variables.one == 1') })).toMatch(/undefined field 'one'/);
});

test('A variable that reads itself by a dynamic name is an error and no endless loop', () => {
  const variables = { one: "dyn(variables)['two']", two: "dyn(variables)['one']" };
  expect(denialOf({ spec: withVariables(variables, 'variables.two == 1') })).toMatch(
    /composited variable "two" depends on itself$/,
  );
});

test('Variables can be tested for presence, and an enumeration gives their values', () => {
  const variables = { a: '1', b: '2' };
  expect(denialOf({ spec: withVariables(variables, 'has(variables.a)') })).toBeUndefined();
  expect(
    denialOf({ spec: withVariables(variables, 'dyn(variables).all(value, value in [1, 2])') }),
  ).toBeUndefined();
  expect(denialOf({ spec: withVariables(variables, "!('c' in dyn(variables))") })).toBeUndefined();
  expect(denialOf({ spec: withVariables(variables, 'variables == variables') })).toBeUndefined();
  expect(denialOf({ spec: withVariables(variables, 'type(variables) != type({})') })).toBeUndefined();
});
