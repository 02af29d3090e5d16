import type { Dice } from '../integration/service/realistic/dice.ts';

/** Shapes of hostile expressions. Each returns one of any size. */
const SHAPES: readonly ((dice: Dice) => string)[] = [
  nested,
  doubled,
  doubledLists,
  sharedLists,
  replaced,
  formatted,
  matched,
  found,
  searched,
  compared,
  summed,
  looped,
  chained,
  numbers,
  widened,
  keyed,
  split,
  spaced,
];

/** Expressions that replace nine times. The size of the text grows with each call, up to the limit of an evaluation. */
export const NINE_TIMES: readonly string[] = [
  '.replace("", "aaaa")',
  '.replace("a", "aaaaaaaaaa")',
  '.replace("a", "é")',
  '.replace("aa", "a")',
].map((call) => `"${repeated('a', 10_000)}"${repeated(call, 9)}.size()`);

/** Writes an expression that is built to cost much time or memory. */
export function hostileExpression(dice: Dice): string {
  return dice.pick(SHAPES)(dice);
}

function repeated(text: string, count: number): string {
  return Array.from({ length: count }, () => text).join('');
}

/** A list literal with so many elements. */
function range(count: number, element = '1'): string {
  return `[${Array.from({ length: count }, () => element).join(', ')}]`;
}

/** Applies a macro again and again, each time with the value of the last as `x`. */
function applied(start: string, body: string, count: number): string {
  return `[${start}]${repeated(`.map(x, ${body})`, count)}`;
}

function nested(dice: Dice): string {
  const [open, close] = dice.pick([
    ['(', ')'] as const,
    ['[', ']'] as const,
    ['!(', ')'] as const,
    ['-(', ')'] as const,
  ]);
  const depth = dice.pick([10, 100, 249, 1000, 20_000]);
  return repeated(open, depth) + dice.pick(['1', 'true', 'self.i', '']) + repeated(close, depth);
}

function doubled(dice: Dice): string {
  const body = dice.pick(['x + x', 'dyn(x) + dyn(x)', 'x.replace("", x)', 'x + x + x', '[x, x].join(x)']);
  const last = dice.pick(['x', 'x.size()', 'x == x + x', 'x < x', 'x.contains("ab")', 'x.upperAscii()']);
  const start = dice.pick(['"a"', 'self.s', `"${repeated('é', 1000)}"`]);
  return `${applied(start, body, dice.between(5, 60))}.map(x, ${last})`;
}

function doubledLists(dice: Dice): string {
  const body = dice.pick(['x + x', '[x + x][0]', 'x.filter(y, true) + x', 'x.map(y, y) + x']);
  const last = dice.pick([
    'x.size()',
    'x == x',
    '7 in x',
    'x.sum()',
    'x.max()',
    'x[x.size() - 1]',
    'x.isSorted()',
  ]);
  return `${applied(range(100), body, dice.between(5, 40))}.map(x, ${last})`;
}

/** Lists that contain the same list many times: small, but endless to visit. */
function sharedLists(dice: Dice): string {
  const body = dice.pick([
    '[x, x]',
    '[x, x, x]',
    '{"a": x, "b": x}',
    '[dyn(x), dyn(x)]',
    '[optional.of(x), optional.of(x)]',
  ]);
  const last = dice.pick([
    'x == x',
    'x in [x]',
    '"%s".format([x])',
    '[x, x].indexOf(x)',
    'dyn(x) == dyn([x])',
    'x != x',
  ]);
  return `${applied('1', body, dice.between(10, 60))}.map(x, ${last})`;
}

function replaced(dice: Dice): string {
  const long = `"${repeated('a', dice.pick([10, 1000, 10_000]))}"`;
  const call = dice.pick([
    '.replace("a", "aaaaaaaaaa")',
    '.replace("", "aaaa")',
    `.replace("a", ${long})`,
    '.replace("a", "é")',
  ]);
  return dice.pick([
    `(${long}${repeated(call, dice.between(1, 12))}).size()`,
    `${range(500)}.map(x, ${long}${call})`,
    `${range(100)}.map(x, ${long}${repeated(call, 2)}).size()`,
  ]);
}

function formatted(dice: Dice): string {
  const precision = dice.pick([1, 100, 9999, 999_999, 9_999_999, 999_999_999]);
  const clause = dice.pick([`%.${precision}f`, `%.${precision}e`, '%s', '%x', '%b']);
  const value = dice.pick(['1.5', '1e308', '5e-324', 'self.ints', 'self.s', '[[1.5], [2.5]]']);
  const call = `"${clause}".format([${value}])`;
  return dice.pick([call, `${range(1000)}.map(x, ${call})`, `${range(100)}.map(x, ${call}.size())`]);
}

function matched(dice: Dice): string {
  const pattern = dice.pick([
    '(a*)*b',
    '(a|aa){1,300}b',
    '(a?){300}a{300}',
    '(.*){50}z',
    '(x+x+)+y',
    '.*.*.*=.*',
    '[^b]*b|a*c',
  ]);
  const text = `"${repeated('a', dice.pick([100, 5000, 50_000]))}"`;
  return dice.pick([
    `${text}.matches("${pattern}")`,
    `${range(300)}.all(x, ${text}.matches("${pattern}"))`,
    `${range(300)}.exists(x, ${text}.matches("${pattern}" + string(x)))`,
    `${range(50)}.transformList(i, x, ${text}.matches("a{" + string(i) + ",900}"))`,
    `"a".matches("${repeated('(', 500)}a${repeated('){1,9}', 500)}")`,
  ]);
}

function found(dice: Dice): string {
  const pattern = dice.pick(['a(.*b)?', 'a', '', '.*', '(a*)*', 'a{1,100}?']);
  const text = `"${repeated('a', dice.pick([100, 5000, 90_000]))}"`;
  return dice.pick([
    `${text}.findAll("${pattern}").size()`,
    `${range(100)}.map(x, ${text}.findAll("${pattern}"))`,
    `${text}.find("${pattern}" + "z")`,
  ]);
}

function searched(dice: Dice): string {
  const text = `"${repeated('a', dice.pick([1000, 40_000]))}"`;
  const part = `"${repeated('a', dice.pick([10, 500, 20_000]))}b"`;
  const call = dice.pick([
    `indexOf(${part})`,
    `lastIndexOf(${part})`,
    `contains(${part})`,
    `replace(${part}, "")`,
  ]);
  const place = dice.pick([
    'charAt(9999)',
    'substring(9999)',
    'indexOf("a", 9999)',
    'lastIndexOf("b", 9999)',
  ]);
  return `${range(dice.pick([10, 1000]))}.map(x, ${text}.${dice.pick([call, place])})`;
}

function compared(dice: Dice): string {
  const list = `${range(dice.pick([10, 300]))}`;
  const body = dice.pick([
    'self == oldSelf',
    'self.ports == oldSelf.ports',
    `self.set == ${list}.map(t, "a")`,
    'dyn(self) in [dyn(oldSelf)]',
  ]);
  return `${list}.all(x, ${list}.all(y, ${list}.all(z, ${body} || true)))`;
}

function summed(dice: Dice): string {
  const call = dice.pick(['sum()', 'max()', 'min()', 'isSorted()', 'indexOf(7)', 'lastIndexOf(7)']);
  return `${range(dice.pick([100, 5000]))}.map(x, ${range(dice.pick([10, 2000]))}.${call})`;
}

function looped(dice: Dice): string {
  const depth = dice.between(2, 8);
  const list = range(dice.pick([2, 10, 50]));
  const macro = dice.pick(['all', 'exists', 'map', 'filter', 'exists_one']);
  let body = dice.pick(['true', '1 / 0 == 1', 'self.b', 'self.texts.join(self.s) == ""']);
  for (let at = 0; at < depth; at += 1) body = `${list}.${macro}(v${at}, dyn(${body}) == true)`;
  return body;
}

function chained(dice: Dice): string {
  const [start, link] = dice.pick([
    ['1', ' + 1'] as const,
    ['true', ' && true'] as const,
    ['self.b', ' || self.b'] as const,
    ['"a"', ' + "a"'] as const,
    ['[1]', ' + [1]'] as const,
    ['self.b', ' ? self.b : self.b'] as const,
    ['self', '.one'] as const,
    ['self.ints', '[0]'] as const,
    ['self.set', ' + self.set'] as const,
  ]);
  return start + repeated(link, dice.pick([10, 500, 5000]));
}

function numbers(dice: Dice): string {
  const digits = repeated('9', dice.pick([10, 1000, 90_000]));
  const text = dice.pick([
    `"${digits}"`,
    `"1e${digits}"`,
    `"0.${digits}"`,
    `"-${digits}Ki"`,
    `"1${repeated('0', 20_000)}"`,
  ]);
  const call = dice.pick([
    'quantity',
    'int',
    'uint',
    'double',
    'duration',
    'semver',
    'ip',
    'cidr',
    'url',
    'timestamp',
    'bool',
  ]);
  return `${range(dice.pick([1, 100]))}.map(x, ${call}(${text}${dice.pick(['', ' + ""'])}))`;
}

function widened(dice: Dice): string {
  return `${range(dice.pick([100, 5000, 20_000]), dice.pick(['1', '"a"', 'self', '[1]', '{"a": 1}', 'self.i + 1']))}.size()`;
}

function keyed(dice: Dice): string {
  const key = dice.pick([
    'string(i)',
    'i',
    'string(i) + self.s',
    'duration(string(i) + "s")',
    'timestamp(i)',
  ]);
  const list = range(dice.pick([10, 3000]));
  return dice.pick([
    `${list}.transformMapEntry(i, x, {${key}: x}).size()`,
    `${list}.transformMapEntry(i, x, {${key}: x}) == ${list}.transformMapEntry(i, x, {${key}: x})`,
    `${list}.transformList(i, x, {${key}: x}).all(m, m == m)`,
  ]);
}

function split(dice: Dice): string {
  const text = `"${repeated('a,', dice.pick([100, 40_000]))}"`;
  const by = dice.pick(['""', '","', '"a"', '"aa"']);
  return dice.pick([
    `${text}.split(${by}).size()`,
    `${range(200)}.map(x, ${text}.split(${by}))`,
    `${range(200)}.map(x, ${text}.split(${by}).join(${text}))`,
    `${text}.split(${by}).map(x, x + x).join("")`,
  ]);
}

function spaced(dice: Dice): string {
  const run = repeated(
    dice.pick([' ', '1', '-', 'a=&', ':', '%41', '/', '.', '_', '0']),
    dice.pick([100, 20_000, 30_000]),
  );
  const text = dice.pick([`"x${run}x"`, `"${run}"`, `"${run}!"`, `"http://${run}"`, `"/?${run}"`]);
  const call = dice.pick([
    ...['trim()', 'lowerAscii()', 'split("x")', 'find("x")', 'matches("^ *$")', 'startsWith("x")', 'size()'],
    ...['replace(" ", "")', 'indexOf("!")'],
  ]);
  const read = dice.pick([
    ...[
      'double',
      'int',
      'duration',
      'timestamp',
      'bytes',
      'isIP',
      'isCIDR',
      'isURL',
      'isQuantity',
      'isSemver',
    ],
    ...['strings.quote', 'format.qualifiedName().validate', 'format.dns1123Subdomain().validate'],
    ...[
      'format.uuid().validate',
      'format.byte().validate',
      'format.datetime().validate',
      'format.uri().validate',
    ],
    ...['timestamp(0).getHours', 'timestamp(0).getDate'],
  ]);
  const query = `url(${text}).getQuery().size()`;
  return `${range(dice.pick([1, 50]))}.map(x, ${dice.pick([`${text}.${call}`, `${read}(${text} + "")`, query])})`;
}
