import type { CallExpression, Expression } from '../ast.ts';
import type { Checked } from '../checked.ts';

/** A fault of a format, at the format or at an argument. */
interface FormatIssue {
  readonly id: number;
  readonly message: string;
}

/** The kinds of types that a clause accepts, and the message for others. */
interface Clause {
  readonly accepts: readonly string[];
  readonly otherwise: string;
}

const INTEGERS = ['int', 'uint'];
const DOUBLES = ['double', 'string'];
const TEXTS = [
  ...[
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ],
];
const HEX: Clause = {
  accepts: [...INTEGERS, 'string', 'bytes'],
  otherwise: 'only integers, byte buffers, and strings can be formatted as hex',
};

const CLAUSES: Readonly<Record<string, Clause>> = {
  s: {
    accepts: TEXTS,
    otherwise:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { accepts: INTEGERS, otherwise: 'decimal clause can only be used on integers' },
  f: { accepts: DOUBLES, otherwise: 'fixed-point clause can only be used on doubles' },
  e: { accepts: DOUBLES, otherwise: 'scientific clause can only be used on doubles' },
  b: { accepts: [...INTEGERS, 'bool'], otherwise: 'only integers and bools can be formatted as binary' },
  x: HEX,
  X: HEX,
  o: { accepts: INTEGERS, otherwise: 'octal clause can only be used on integers' },
};

/** Returns the fault of a call whose format and list of arguments are literals. */
export function formatIssue(checked: Checked, { id, target, args }: CallExpression): FormatIssue | undefined {
  const [list] = args;
  if (target?.kind !== 'constant' || target.constant.type !== 'string') return undefined;
  if (list?.kind !== 'list' || args.length !== 1) return undefined;
  const text = target.constant.value;
  let requested = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at)) {
    if (text[at + 1] === '%') {
      at += 2;
      continue;
    }
    const index = requested;
    requested += 1;
    if (at + 1 >= text.length) return { id, message: 'unexpected end of string' };
    const argument = list.elements[index];
    if (argument === undefined) return { id, message: `index ${index} out of range` };
    const [read = '', dot, digits = '', letter] = /^%(\.)?(?:(?<=\.)(\d*))?(.)?/su.exec(text.slice(at)) ?? [];
    const fault = clauseFault(dot, digits, letter);
    if (fault !== undefined) return { id, message: `could not parse formatting clause: ${fault}` };
    const clause = CLAUSES[letter ?? ''];
    const wrong = clause && wrongArgument(checked, argument, clause, letter === 's');
    if (clause && wrong) {
      const given = `was given ${checked.types.get(wrong.id)?.name ?? ''}`;
      return { id: wrong.id, message: `error during formatting: ${clause.otherwise}, ${given}` };
    }
    at += read.length;
  }
  const given = list.elements.length;
  if (given <= requested) return undefined;
  return {
    id,
    message: `too many arguments supplied to string.format (expected ${requested}, got ${given})`,
  };
}

const PRECISION = 'error while parsing precision';

function clauseFault(
  dot: string | undefined,
  digits: string,
  letter: string | undefined,
): string | undefined {
  if (dot !== undefined) {
    if (letter === undefined) return `${PRECISION}: could not find end of precision specifier`;
    const problem =
      digits === '' ? 'invalid syntax' : Number(digits) >= 2 ** 63 ? 'value out of range' : undefined;
    if (problem !== undefined) {
      const why = `strconv.Atoi: parsing ${JSON.stringify(digits)}: ${problem}`;
      return `${PRECISION}: error while converting precision to integer: ${why}`;
    }
  }
  if (CLAUSES[letter ?? ''] !== undefined) return undefined;
  // The library reads bytes, so that it names the first byte of a longer character.
  const [byte = 0] = new TextEncoder().encode(letter ?? '');
  return `unrecognized formatting clause "${String.fromCharCode(byte)}"`;
}

/** Returns the argument, or the part of a literal argument, that the clause does not accept. */
function wrongArgument(
  checked: Checked,
  argument: Expression,
  clause: Clause,
  withParts: boolean,
): Expression | undefined {
  const kind = checked.types.get(argument.id)?.kind ?? 'dyn';
  if (kind !== 'dyn' && !clause.accepts.includes(kind)) return argument;
  if (!withParts) return undefined;
  const parts =
    argument.kind === 'list'
      ? argument.elements
      : argument.kind === 'map'
        ? argument.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const wrong = wrongArgument(checked, part, clause, true);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
