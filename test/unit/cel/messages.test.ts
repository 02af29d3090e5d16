import { expect, it } from '@jest/globals';
import { checkNew } from '../../../lib/cel/definitions.ts';
import { ExpressionError, environmentOf, types } from '../../../lib/cel/index.ts';
import { LIBRARIES } from '../../../lib/cel/libraries/index.ts';
import { loadPatterns } from '../../../lib/kubernetes/schemas/patterns.ts';

const patterns = await loadPatterns();
const { DYN, INT, STRING, listOf, mapOf, optionalOf } = types;
const VARIABLES = {
  x: DYN,
  i: INT,
  s: STRING,
  l: listOf(INT),
  ls: listOf(STRING),
  m: mapOf(STRING, INT),
  o: optionalOf(INT),
};
const ENVIRONMENT = {
  ...environmentOf('stored', LIBRARIES),
  variables: new Map(Object.entries(VARIABLES).map(([name, type]) => [name, { name, type }])),
};
const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function errorOf(text: string): string {
  try {
    checkNew(text, ENVIRONMENT, (pattern) => patterns.regexOf(pattern));
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
  return '';
}

/** Wrong expressions, and what cel-go says of them in Kubernetes' environment. */
const RECORDED: readonly (readonly [text: string, ...faults: string[]])[] = [
  ['1 +', "1:4: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  ['', "1:0: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  ['1 1', "1:3: Syntax error: extraneous input '1' expecting <EOF>"],
  ['s =', "1:3: Syntax error: token recognition error at: '='"],
  [
    's = 1',
    "1:3: Syntax error: token recognition error at: '= '",
    "1:5: Syntax error: extraneous input '1' expecting <EOF>",
  ],
  [
    "s == 'abc",
    "1:6: Syntax error: token recognition error at: ''abc'",
    "1:10: Syntax error: mismatched input '<EOF>' expecting {OPERAND}",
  ],
  ['(1 + 2', "1:7: Syntax error: missing ')' at '<EOF>'"],
  ['1 + 2)', "1:6: Syntax error: extraneous input ')' expecting <EOF>"],
  ['x.all(y, )', "1:10: Syntax error: mismatched input ')' expecting {OPERAND}"],
  ['x.all(y z)', "1:9: Syntax error: extraneous input 'z' expecting ')'"],
  ['if', '1:1: reserved identifier: if'],
  ['[1, 2', "1:6: Syntax error: mismatched input '<EOF>' expecting {']', ','}"],
  ['{1: 2', "1:6: Syntax error: mismatched input '<EOF>' expecting {'}', ','}"],
  ['{1 2}', "1:4: Syntax error: missing ':' at '2'"],
  ['x.', "1:3: Syntax error: no viable alternative at input '.'"],
  ['x.1', "1:2: Syntax error: extraneous input '.1' expecting <EOF>"],
  [
    '#',
    "1:1: Syntax error: token recognition error at: '#'",
    "1:2: Syntax error: mismatched input '<EOF>' expecting {OPERAND}",
  ],
  [
    'x # y',
    "1:3: Syntax error: token recognition error at: '#'",
    "1:5: Syntax error: extraneous input 'y' expecting <EOF>",
  ],
  ['a && ', "1:6: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  [
    'a & b',
    "1:3: Syntax error: token recognition error at: '& '",
    "1:5: Syntax error: extraneous input 'b' expecting <EOF>",
  ],
  ['1 ? 2', "1:6: Syntax error: mismatched input '<EOF>' expecting ':'"],
  ['1 ? 2 :', "1:8: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  ['x..y', "1:3: Syntax error: no viable alternative at input '..'"],
  ['x[1', "1:4: Syntax error: missing ']' at '<EOF>'"],
  ['for(x)', '1:1: reserved identifier: for'],
  ['true.false', "1:6: Syntax error: mismatched input 'false' expecting IDENTIFIER"],
  ['x.true', "1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
  ['a b c', "1:3: Syntax error: mismatched input 'b' expecting <EOF>"],
  ['1 == 2 == 3', "1:8: found no matching overload for '_==_' applied to '(bool, int)'"],
  [
    "'\\x'",
    "1:1: Syntax error: token recognition error at: ''\\x''",
    "1:5: Syntax error: mismatched input '<EOF>' expecting {OPERAND}",
  ],
  ['1.2.3', "1:4: Syntax error: extraneous input '.3' expecting <EOF>"],
  ['0x', "1:2: Syntax error: extraneous input 'x' expecting <EOF>"],
  ['99999999999999999999', '1:1: invalid int literal'],
  ['has(x)', '1:5: invalid argument to has() macro'],
  [
    'has(x, y)',
    "1:4: undeclared reference to 'has' (in container '')",
    "1:8: undeclared reference to 'y' (in container '')",
  ],
  ['x.all(1, true)', '1:7: argument must be a simple name'],
  ['[1,,2]', "1:4: Syntax error: mismatched input ',' expecting ']'"],
  [
    'f(,1)',
    "1:3: Syntax error: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
  ],
  ['x.map(y.z, 1)', '1:8: argument is not an identifier'],
  ['x.y.all(@result, true)', "1:9: Syntax error: token recognition error at: '@'"],
  ["\n  1 +\n 'abc' + 1\n", "2:5: found no matching overload for '_+_' applied to '(int, string)'"],
  [
    'x.all(y, y) + z + true && undefined_thing',
    "1:13: found no matching overload for '_+_' applied to '(bool, !error!)'",
    "1:15: undeclared reference to 'z' (in container '')",
    "1:17: found no matching overload for '_+_' applied to '(!error!, bool)'",
    "1:27: undeclared reference to 'undefined_thing' (in container '')",
  ],
  ['x in', "1:5: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  ['* 2', "1:1: Syntax error: extraneous input '*' expecting {OPERAND}"],
  ['1 + * 2', "1:5: Syntax error: extraneous input '*' expecting {OPERAND}"],
  ['a.b{c: 1}', "1:4: undeclared reference to 'a.b' (in container '')"],
  ['int{}', "1:4: 'int' is not a message type"],
  ['foo(1)', "1:4: undeclared reference to 'foo' (in container '')"],
  ['x.foo(1)', "1:6: undeclared reference to 'foo' (in container '')"],
  ['s.foo', "1:2: type 'string' does not support field selection"],
  ['i.foo', "1:2: type 'int' does not support field selection"],
  ["'é' + 1", "1:5: found no matching overload for '_+_' applied to '(string, int)'"],
  ["    'é' +1", "1:9: found no matching overload for '_+_' applied to '(string, int)'"],
  ['l.all(i, j, k)', "1:13: undeclared reference to 'k' (in container '')"],
  ['l.all(a, a, true)', '1:10: duplicate variable name: a'],
  ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
  ["{1: 2, 'a': 3}", "1:8: expected type 'int' but found 'string'"],
  ["s.matches('(')", '1:11: invalid matches argument'],
  ["duration('1')", '1:10: invalid duration argument'],
  ["timestamp('x')", '1:11: invalid timestamp argument'],
  ['i == s', "1:3: found no matching overload for '_==_' applied to '(int, string)'"],
  ['l[s]', "1:2: found no matching overload for '_[_]' applied to '(list(int), string)'"],
  ['i ? 1 : 2', "1:3: found no matching overload for '_?_:_' applied to '(int, int, int)'"],
  ["true ? 1 : 'a'", "1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'"],
  ['!i', "1:1: found no matching overload for '!_' applied to '(int)'"],
  ['-s', "1:1: found no matching overload for '-_' applied to '(string)'"],
  ['i && s', "1:1: expected type 'bool' but found 'int'", "1:6: expected type 'bool' but found 'string'"],
  [
    'i.all(x, true)',
    "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
  ],
  ['o.foo', "1:2: type 'int' does not support field selection"],
  ['o.?foo', "1:2: type 'int' does not support field selection"],
  ['?x', "1:1: Syntax error: extraneous input '?' expecting {OPERAND}"],
  ['`a`', "1:1: Syntax error: mismatched input '`a`' expecting {OPERAND}"],
  ['x.`a`', "1:3: unsupported syntax: '`'"],
  [
    '"\\u12"',
    '1:1: Syntax error: token recognition error at: \'"\\u12"\'',
    "1:7: Syntax error: mismatched input '<EOF>' expecting {OPERAND}",
  ],
  ["b'\\u1234'", '1:1: unable to unescape string'],
  [
    '"abc\ndef"',
    "1:1: Syntax error: token recognition error at: '\"abc\n'",
    "2:4: Syntax error: token recognition error at: '\"'",
  ],
  ['x.y(1', "1:6: Syntax error: missing ')' at '<EOF>'"],
  ['x.y(1,', "1:7: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  [
    'x.map(y, y, y, y, y)',
    "1:6: undeclared reference to 'map' (in container '')",
    "1:7: undeclared reference to 'y' (in container '')",
    "1:10: undeclared reference to 'y' (in container '')",
    "1:13: undeclared reference to 'y' (in container '')",
    "1:16: undeclared reference to 'y' (in container '')",
    "1:19: undeclared reference to 'y' (in container '')",
  ],
  ['a || (b && c', "1:13: Syntax error: missing ')' at '<EOF>'"],
  ["'a' in", "1:7: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  ['1u +', "1:5: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  ['1 < 2 <', "1:8: Syntax error: mismatched input '<EOF>' expecting {OPERAND}"],
  ["{'a':}", "1:6: Syntax error: mismatched input '}' expecting {OPERAND}"],
  ["{'a':1,,}", "1:8: Syntax error: extraneous input ',' expecting '}'"],
  [
    'x.f(,)',
    "1:5: Syntax error: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
  ],
  [
    'a ? : c',
    "1:5: Syntax error: extraneous input ':' expecting {OPERAND}",
    "1:8: Syntax error: mismatched input '<EOF>' expecting ':'",
  ],
  ['()', "1:2: Syntax error: mismatched input ')' expecting {OPERAND}"],
  ['[](1)', "1:3: Syntax error: mismatched input '(' expecting <EOF>"],
  ['1()', "1:2: Syntax error: mismatched input '(' expecting <EOF>"],
  ['x.y()()', "1:6: Syntax error: mismatched input '(' expecting <EOF>"],
  ['==1', "1:1: Syntax error: extraneous input '==' expecting {OPERAND}"],
  ['x == = 1', "1:6: Syntax error: token recognition error at: '= '"],
  ['x === 1', "1:5: Syntax error: token recognition error at: '= '"],
  ['x <> 1', "1:4: Syntax error: extraneous input '>' expecting {OPERAND}"],
  [
    'x => 1',
    "1:3: Syntax error: token recognition error at: '=>'",
    "1:6: Syntax error: extraneous input '1' expecting <EOF>",
  ],
  ['x and y', "1:3: Syntax error: mismatched input 'and' expecting <EOF>"],
  ['x or y', "1:3: Syntax error: mismatched input 'or' expecting <EOF>"],
  ['not x', "1:5: Syntax error: extraneous input 'x' expecting <EOF>"],
  ['x !in y', "1:3: Syntax error: mismatched input '!' expecting <EOF>"],
  ['x not in y', "1:3: Syntax error: mismatched input 'not' expecting <EOF>"],
  ['self.a != null && has(self.b', "1:29: Syntax error: missing ')' at '<EOF>'"],
  [
    'x; y',
    "1:2: Syntax error: token recognition error at: ';'",
    "1:4: Syntax error: extraneous input 'y' expecting <EOF>",
  ],
  [
    "x == 'it's'",
    "1:10: Syntax error: extraneous input 's' expecting <EOF>",
    "1:11: Syntax error: token recognition error at: '''",
  ],
];

it.each(RECORDED)('an expression is refused with the messages of kube-apiserver: %j', (text, ...faults) => {
  const told = errorOf(text).replaceAll(OPERAND, '{OPERAND}');
  const lines = told.split(/^ERROR: <input>:/m).slice(1);
  expect(lines.map((line) => line.split('\n | ')[0]?.trimEnd())).toEqual(faults);
});

it('a message quotes its line and marks the place, below wide characters with wide marks', () => {
  expect(errorOf("\n  s + 'é漢' + 1\n")).toBe(
    "ERROR: <input>:2:12: found no matching overload for '_+_' applied to '(string, int)'\n |   s + 'é漢' + 1\n | .......．．..^",
  );
});

it.each([
  ['parentheses', '('.repeat(50_000), 'expression recursion limit exceeded: 250'],
  ['fields', `x${'.b'.repeat(251)}`, 'max recursion depth exceeded'],
  ['sums', `${'1+'.repeat(251)}1`, 'max recursion depth exceeded'],
  ['copies', `o${'.optMap(a, a)'.repeat(100)}`, 'expression has more than 200000 nodes'],
  ['types', `l${'.map(a, {a: a})'.repeat(60)}`, 'the types of the expression are too large'],
])('an expression with too many nested %s is refused', (_what, text, message) => {
  expect(errorOf(text)).toBe(`ERROR: <input>:-1:0: ${message}`);
});

it.each([
  ['alternatives', `${'x || '.repeat(15_000)}x`],
  ['signs', `${'-'.repeat(99_000)}1 == 1`],
  ['elements', `[${'?o, '.repeat(20_000)}].size() == 1`],
])('an expression may have many %s', (_what, text) => {
  expect(errorOf(text)).toBe('');
});
