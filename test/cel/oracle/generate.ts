import type { Dice } from '../../integration/service/realistic/dice.ts';
import { randomText } from './random-texts.ts';

/**
 * Templates of expressions by the kind of their value. `$int` is an expression of a kind. `@int` is a new variable,
 * which the following parts of the template may use. Templates without parts end the recursion.
 */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  int: [
    ...['0', '1', '2', '-1', '5', '7', '100', '9223372036854775807', '-9223372036854775808', '0x1f'],
    ...['self.i', 'self.j', 'oldSelf.i', 'self.one.a', 'self.counts.one', 'self.counts.none', 'self.ints[0]'],
    ...['self.ports[0].port', "self.ports[1]['port']", 'self.lists[0][1]', 'int(self.any)'],
    ...['$int + $int', '$int - $int', '$int * $int', '$int / $int', '$int % $int', '-($int)', '($int)'],
    ...['size($string)', '$string.size()', 'size($ints)', '$texts.size()', 'size($counts)', 'size($bytes)'],
    ...[
      '$bool ? $int : $int',
      '$ints[$int]',
      '$counts[$string]',
      'int($double)',
      'int($uint)',
      'int($string)',
      'int($numbertext)',
    ],
    ...[
      'int($duration)',
      'int($timestamp)',
      '$ints.sum()',
      '$ints.max()',
      '$ints.min()',
      '$ints.indexOf($int)',
    ],
    ...['$ints.lastIndexOf($int)', '$texts.indexOf($string)', '$string.indexOf($string)'],
    ...[
      '$string.indexOf($string, $int)',
      '$string.lastIndexOf($string)',
      '$string.lastIndexOf($string, $int)',
    ],
    ...[
      '$duration.getHours()',
      '$duration.getMinutes()',
      '$duration.getSeconds()',
      '$duration.getMilliseconds()',
    ],
    ...[
      '$timestamp.getFullYear()',
      '$timestamp.getMonth()',
      '$timestamp.getDate()',
      '$timestamp.getDayOfYear()',
    ],
    ...['$timestamp.getDayOfMonth()', '$timestamp.getDayOfWeek()', '$timestamp.getHours()'],
    ...[
      "$timestamp.getHours('Europe/Berlin')",
      "$timestamp.getMinutes('+05:30')",
      "$timestamp.getDate('-12:00')",
    ],
    ...["$timestamp.getFullYear('Asia/Tokyo')", "$timestamp.getMilliseconds('US/Pacific')"],
    ...["$timestamp.getSeconds('nowhere')", '$timestamp.getSeconds()', '$timestamp.getMilliseconds()'],
    ...['$ip.family()', '$cidr.prefixLength()', '$quantity.compareTo($quantity)', 'sign($quantity)'],
    ...['$quantity.asInteger()', '$semver.compareTo($semver)', '$semver.major()', '$semver.minor()'],
    ...['$semver.patch()', '$optional.orValue($int)', '$optional.value()', '$ints[?$int].orValue($int)'],
    ...[
      '$ints.first().orValue($int)',
      '$ints.last().value()',
      'optional.of($int).optMap(@int, $int).value()',
    ],
    ...['$ints.map(@int, $int)[$int]', '$counts[?$string].orValue($int)', '$ints.filter(@int, $bool).sum()'],
    ...['optional.of($int).optFlatMap(@int, $optional).orValue($int)'],
  ],
  uint: [
    '0u',
    '1u',
    '18446744073709551615u',
    'uint($int)',
    'uint($double)',
    'uint($string)',
    'uint($numbertext)',
    '$uint + $uint',
  ].concat(
    ...[['$uint - $uint', '$uint * $uint', '$uint / $uint', '$uint % $uint', '$bool ? $uint : $uint']],
    [['[$uint, $uint].max()', '[$uint, $uint].sum()']].flat(),
  ),
  double: [
    ...['0.0', '1.5', '-2.25', '1e308', '1e-9', '2.0', 'self.d', 'self.doubles[1]'],
    ...['$double + $double', '$double - $double', '$double * $double', '$double / $double', '-($double)'],
    ...[
      'double($int)',
      'double($uint)',
      'double($string)',
      'double($numbertext)',
      "double('NaN')",
      "double('-Infinity')",
    ],
    ...['$bool ? $double : $double', '$doubles.sum()', '$doubles.max()', '$quantity.asApproximateFloat()'],
  ],
  bool: [
    ...[
      'true',
      'false',
      'self.b',
      'has(self.maybe)',
      'has(self.s)',
      'has(self.one.deep.z)',
      'has(self.labels.app)',
    ],
    ...[
      'has(self.labels.nothing)',
      'self == oldSelf',
      'self.ports == oldSelf.ports',
      'self.set == oldSelf.set',
    ],
    ...[
      'self.one == oldSelf.one',
      'self.any == oldSelf.any',
      'has(self.ports[0].x__dash__y)',
      'has(self.?one.c)',
    ],
    ...[
      '$bool && $bool',
      '$bool || $bool',
      '!($bool)',
      '$bool == $bool',
      '$bool != $bool',
      '$bool ? $bool : $bool',
    ],
    ...['$int == $int', '$int != $int', '$int < $int', '$int <= $int', '$int > $int', '$int >= $int'],
    ...['$int < $double', '$uint >= $int', '$double > $uint', '$int == $double', 'dyn($int) == dyn($uint)'],
    ...[
      '$double == $double',
      '$double < $double',
      '$string == $string',
      '$string < $string',
      '$string >= $string',
    ],
    ...['$bytes == $bytes', '$bytes < $bytes', '$duration < $duration', '$timestamp <= $timestamp'],
    ...[
      '$timestamp == $timestamp',
      '$ints == $ints',
      '$texts == $texts',
      '$counts == $counts',
      '$dyn == $dyn',
      // Go visits the entries of a map in random order, so that no loop may see more than one.
      '{$string: $int, $string: $int} == {$string: $int, $string: $int}',
    ],
    ...[
      '$int in $ints',
      '$string in $texts',
      '$string in $counts',
      '$int in [1, 2, 3]',
      "$string in ['a', 'b']",
    ],
    ...['$double in [1.0, 2.5]', '$int in []', '$dyn in [1, 2]', '$string.contains($string)'],
    ...['isQuantity($quantitytext)', 'isIP($addresstext)', 'isCIDR($addresstext)', 'isURL($urltext)'],
    ...['isSemver($versiontext)', 'isSemver($versiontext, true)', '$string.matches($patterntext)'],
    ...[
      'ip.isCanonical($addresstext)',
      'string($dyn) == $string',
      '$string.startsWith($string)',
      '$string.endsWith($string)',
      "$string.matches('[a-z]+')",
    ],
    ...["$string.matches('^(a|b)*$')", 'matches($string, $string)', '$string.matches($string)'],
    ...['$ints.all(@int, $bool)', '$ints.exists(@int, $bool)', '$ints.exists_one(@int, $bool)'],
    ...['$texts.all(@string, $bool)', '$texts.exists(@string, $bool)', '$counts.all(@string, $bool)'],
    ...[
      '$ints.all(@int, @int, $bool)',
      '$counts.exists(@string, @int, $bool)',
      '$ints.existsOne(@int, @int, $bool)',
    ],
    ...['self.ports.all(p, p.port > $int)', 'self.ports.exists(p, p.name == $string)', '$ints.isSorted()'],
    ...[
      '$texts.isSorted()',
      '$doubles.isSorted()',
      'sets.contains($ints, $ints)',
      'sets.intersects($texts, $texts)',
    ],
    ...[
      'sets.equivalent($ints, $ints)',
      'isIP($string)',
      'isCIDR($string)',
      'isURL($string)',
      'isQuantity($string)',
    ],
    ...['isSemver($string)', 'isSemver($string, $bool)', 'ip.isCanonical($string)', '$ip.isLoopback()'],
    ...[
      '$ip.isGlobalUnicast()',
      '$ip.isUnspecified()',
      '$ip.isLinkLocalUnicast()',
      '$ip.isLinkLocalMulticast()',
    ],
    ...['$ip == $ip', '$cidr == $cidr', '$cidr.containsIP($ip)', '$cidr.containsIP($string)', '$url == $url'],
    ...[
      '$cidr.containsCIDR($cidr)',
      '$cidr.containsCIDR($string)',
      '$quantity == $quantity',
      '$semver == $semver',
    ],
    ...['$quantity.isGreaterThan($quantity)', '$quantity.isLessThan($quantity)', '$quantity.isInteger()'],
    ...['$semver.isGreaterThan($semver)', '$semver.isLessThan($semver)', '$optional.hasValue()'],
    ...['$optional == $optional', 'format.dns1123Label().validate($string).hasValue()', 'type($dyn) == int'],
    ...["format.named('uuid').value().validate($string) == optional.none()", 'type($int) == type($dyn)'],
    ...['bool($string)', 'dyn($bool)', '$int / $int == $int || $bool', '$bool && $ints[$int] > $int'],
    ...['[$bool, $bool].max()', 'format.qualifiedName().validate($string).hasValue()'],
    ...['format.datetime().validate($string).hasValue()', 'format.uri().validate($string).hasValue()'],
  ],
  string: [
    ...[
      "''",
      "'a'",
      "'b'",
      "'abc'",
      "'wörld 𝄞'",
      "'1.2.3'",
      "'10.0.0.1'",
      "'::1'",
      "'10.0.0.0/8'",
      "'1Gi'",
      "'12'",
    ],
    ...[
      "'http://a.b:80/c?d=e#f'",
      "'2024-01-01T00:00:00Z'",
      "'[a-z]+'",
      "'1h'",
      "r'\\d'",
      "'true'",
      "'A-b_c'",
    ],
    ...[
      'self.s',
      'self.t',
      'self.one.c',
      'oldSelf.s',
      'self.maybe',
      'self.labels.app',
      "self.labels['none']",
    ],
    ...[
      'self.ports[0].name',
      'self.ports[0].x__dash__y',
      'self.texts[1]',
      'self.one.deep.z[0]',
      'string(self.any)',
    ],
    ...[
      '$string + $string',
      '$bool ? $string : $string',
      '$anytext',
      '$anytext',
      'string($int)',
      'string($double)',
      'string($bool)',
    ],
    ...[
      'string($bytes)',
      'string($duration)',
      'string($timestamp)',
      'string($uint)',
      'string($ip)',
      'string($cidr)',
    ],
    ...[
      '$string.charAt($int)',
      '$string.substring($int)',
      '$string.substring($int, $int)',
      '$string.lowerAscii()',
    ],
    ...['$string.upperAscii()', '$string.trim()', '$string.replace($string, $string)', '$texts.join()'],
    ...['$string.replace($string, $string, $int)', '$texts.join($string)', "$string.find('[a-z]+')"],
    ...['$string.find($string)', '$texts[$int]', '$labels[$string]', '$texts.max()', '$texts.min()'],
    ...[
      'strings.quote($string)',
      '$string.find($patterntext)',
      '$clausetext.format([$dyn, $dyn])',
      '$clausetext.format([$double, $int])',
    ],
    ...["'%s|%s'.format([$dyn, $dyn])", "'%d %f'.format([$int, $double])"],
    ...[
      "'%s'.format([$ints])",
      "'%x %b'.format([$string, $int])",
      "'%.3f'.format([$double])",
      "'%s'.format([$labels])",
    ],
    ...[
      '$url.getScheme()',
      '$url.getHost()',
      '$url.getHostname()',
      '$url.getPort()',
      '$url.getEscapedPath()',
    ],
    ...[
      '$texts[?$int].orValue($string)',
      '$labels[?$string].orValue($string)',
      'self.?maybe.orValue($string)',
    ],
    ...['$texts.map(@string, $string)[$int]', '$labels.map(@string, $string)[$int]'],
    ...['format.dns1123Subdomain().validate($string).orValue([$string])[0]', 'string(type($dyn) == int)'],
  ],
  bytes: [
    ...[
      "b''",
      "b'abc'",
      "b'\\xff'",
      'self.bytes',
      'bytes($string)',
      '$bytes + $bytes',
      '$bool ? $bytes : $bytes',
    ],
  ],
  duration: [
    ...["duration('1h')", "duration('-1.5s')", "duration('0')", 'self.dur', '$duration + $duration'],
    ...[
      '$duration - $duration',
      '-($duration)',
      'duration($string)',
      'duration("" + $durationtext)',
      '$timestamp - $timestamp',
    ],
    ...['$bool ? $duration : $duration', '[$duration, $duration].max()', '[$duration].sum()'],
  ],
  timestamp: [
    ...["timestamp('2024-02-29T23:59:59.5Z')", "timestamp('0001-01-01T00:00:00Z')", 'self.at', 'self.day'],
    ...["timestamp('9999-12-31T23:59:59Z')", "timestamp('2000-01-01T12:00:00-07:30')", 'timestamp($int)'],
    ...[
      'timestamp($string)',
      'timestamp("" + $timetext)',
      '$timestamp + $duration',
      '$duration + $timestamp',
      '$timestamp - $duration',
    ],
    ...['$bool ? $timestamp : $timestamp'],
  ],
  ints: [
    ...[
      '[]',
      '[1, 2, 3]',
      'self.ints',
      'self.lists[0]',
      'self.lists[1]',
      '[$int, $int]',
      '[$int]',
      '$ints + $ints',
    ],
    ...['[?$optional, $int]', '$bool ? $ints : $ints', '$ints.map(@int, $int)', '$ints.filter(@int, $bool)'],
    ...['$ints.map(@int, $bool, $int)', '$texts.map(@string, $int)', '$counts.map(@string, $int)'],
    ...['$ints.transformList(@int, @int, $int)', '$counts.transformList(@string, @int, $int)'],
    ...[
      '$ints.transformList(@int, @int, $bool, $int)',
      'self.ports.map(p, p.port)',
      'self.lists.map(l, l.size())',
    ],
  ],
  texts: [
    ...["['a', 'b']", 'self.texts', 'self.set', 'self.one.deep.z', '[$string, $string]', '$texts + $texts'],
    ...[
      '$string.split($string)',
      '$string.split($string, $int)',
      "$string.findAll('[a-z]')",
      '$string.findAll($string)',
    ],
    ...[
      '$string.findAll($string, $int)',
      '$string.findAll($patterntext)',
      '$url.getQuery().a',
      '$bool ? $texts : $texts',
      '$texts.filter(@string, $bool)',
    ],
    ...[
      '$ints.map(@int, $string)',
      'self.set + $texts',
      'self.ports.map(p, p.name)',
      '[?self.?maybe, $string]',
    ],
    ...[
      'optional.unwrap([optional.of($string)])',
      '$labels.map(@string, $string)',
      '$url.getQuery()[$string]',
    ],
  ],
  doubles: ['self.doubles', '[$double, $double]', '$ints.map(@int, $double)', '$doubles + $doubles'],
  counts: [
    ...['{}', "{'a': 1}", 'self.counts', '{$string: $int}', '{?$string: $optional}'],
    ...['$bool ? $counts : $counts', '$counts.transformMap(@string, @int, $int)'],
    ...[
      '$counts.transformMap(@string, @int, $bool, $int)',
      '[$string].transformMapEntry(@int, @string, {$string: $int})',
    ],
  ],
  labels: ["{'a': 'b'}", 'self.labels', '{$string: $string}', '$bool ? $labels : $labels'],
  dyn: [
    ...[
      'dyn($int)',
      'dyn($string)',
      'dyn($double)',
      'dyn($ints)',
      'dyn($bool)',
      'self.any',
      'oldSelf.any',
      'dyn(null)',
    ],
    ...[
      'dyn($counts)',
      'dyn($uint)',
      '$dyn + $dyn',
      '$bool ? $dyn : $dyn',
      'dyn([$dyn, $dyn])',
      'dyn($duration)',
    ],
    ...['dyn(self.ports)', 'optional.of(self.set).or(optional.none()).value()', 'optional.of(self).?day'],
    ...[
      'optional.of(self.ports)[?0]',
      'optional.of(self.one).optMap(o, o.c)',
      'optional.of(self.any).optMap(o, o)',
    ],
    ...['optional.of(self.day).optMap(o, o.getFullYear())', 'optional.of(self).optMap(o, o.at)'],
    ...[
      'optional.of(self.ports).optMap(o, o == self.ports)',
      'optional.of(self.set).optMap(o, o == oldSelf.set)',
      'dyn(self.one).c',
      'dyn(self.set)',
      '$dyn.size()',
      'dyn($optional)',
      '$dyn[$dyn]',
    ],
  ],
  ip: [
    "ip('10.0.0.1')",
    "ip('::1')",
    "ip('fe80::1')",
    'ip($string)',
    'ip($addresstext)',
    '$cidr.ip()',
    "ip('224.0.0.1')",
  ],
  cidr: [
    "cidr('10.0.0.0/8')",
    "cidr('10.1.2.3/16')",
    "cidr('2001:db8::/32')",
    'cidr($string)',
    'cidr($addresstext)',
    '$cidr.masked()',
  ],
  url: [
    "url('https://user:pw@a.b:80/c/d?e=f&e=g#h')",
    "url('/path?x')",
    'url($string)',
    'url($urltext)',
    'url($urltext)',
  ],
  quantity: [
    ...[
      "quantity('1Gi')",
      "quantity('1.5')",
      "quantity('1000m')",
      "quantity('-2k')",
      'quantity($string)',
      'quantity($quantitytext)',
      'quantity($quantitytext)',
    ],
    ...['$quantity.add($quantity)', '$quantity.sub($quantity)', '$quantity.add($int)', '$quantity.sub($int)'],
    ...["quantity('1e3')", "quantity('12E')", "quantity('0.5Ki')"],
  ],
  semver: [
    "semver('1.2.3')",
    "semver('1.2.3-rc.1+b')",
    "semver('v1.02', true)",
    'semver($string)',
    'semver($versiontext)',
    'semver($versiontext, true)',
    'semver($string, $bool)',
  ],
  optional: [
    ...['optional.none()', 'optional.of($int)', 'optional.ofNonZeroValue($int)', '$ints[?$int]', 'self.?i'],
    ...[
      'self.counts.?one',
      'self.counts[?$string]',
      '$optional.or($optional)',
      '$bool ? $optional : $optional',
    ],
    ...[
      '$optional.optMap(@int, $int)',
      '$ints.first()',
      '$ints.last()',
      'self.?one.a',
      'self.?one.?a',
      'self.?ints[0]',
    ],
  ],
};

const KINDS = Object.keys(TEMPLATES);
/** How often a part has another kind than it should, so that the checker finds a fault. */
const WRONG = 0.01;

/** Writes a random expression. Most of them type-check. */
export function generate(dice: Dice): string {
  return new Writer(dice).write(dice.pick(KINDS), dice.between(1, 5), []);
}

interface Variable {
  readonly kind: string;
  readonly name: string;
}

class Writer {
  readonly #dice: Dice;
  #variables = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  write(kind: string, depth: number, variables: readonly Variable[]): string {
    const dice = this.#dice;
    const text = randomText(kind, dice);
    if (text !== undefined) return text;
    const own = variables.filter((variable) => variable.kind === kind);
    if (own.length > 0 && dice.chance(0.5)) return dice.pick(own).name;
    const templates = TEMPLATES[dice.chance(WRONG) ? dice.pick(KINDS) : kind] ?? [];
    const leaves = templates.filter((template) => !/[$@]/.test(template));
    const template = dice.pick(depth <= 0 && leaves.length > 0 ? leaves : templates);
    const known = [...variables];
    return template.replace(/[$@]([a-z]+)/g, (part, of: string) => {
      if (part.startsWith('$')) return this.#operand(this.write(of, depth - 1, known));
      this.#variables += 1;
      const name = `v${this.#variables}`;
      known.push({ kind: of, name });
      return name;
    });
  }

  /** Puts what is no simple operand into parentheses. */
  #operand(text: string): string {
    return /^[\w.'"[\](){}:, -]*$/.test(text) && !/ [-?:] |^-/.test(text) ? text : `(${text})`;
  }
}
