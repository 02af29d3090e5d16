import type { FunctionDeclaration, Overload } from '../declarations.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  param,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../types.ts';

const SIMPLE: Readonly<Record<string, Type>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  null: NULL,
  string: STRING,
  timestamp: TIMESTAMP,
  uint: UINT,
};

const GENERIC: Readonly<Record<string, (...parameters: readonly Type[]) => Type>> = {
  list: (element = DYN) => listOf(element),
  map: (key = DYN, value = DYN) => mapOf(key, value),
  optional: (value = DYN) => optionalOf(value),
  type: (named = DYN) => typeOf(named),
};

/** Returns the type with this name. `list(A)` is a list of a type parameter, `Quantity` one of Kubernetes' types. */
function typeNamed(text: string): Type {
  const open = text.indexOf('(');
  if (open >= 0) {
    const made = GENERIC[text.slice(0, open)];
    if (made === undefined) throw new Error(`no generic type in ${text}`);
    return made(...split(text.slice(open + 1, -1)).map(typeNamed));
  }
  if (SIMPLE[text] !== undefined) return SIMPLE[text];
  if (text.length === 1) return param(text);
  if (text.startsWith('net.')) return opaque(text);
  return struct(`kubernetes.${text}`);
}

/** Splits at the commas outside parentheses. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at] ?? ',';
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character !== ',' || depth > 0) continue;
    if (at > from) parts.push(text.slice(from, at));
    from = at + 1;
  }
  return parts;
}

function overloadOf(text: string): Overload {
  const open = text.indexOf('(');
  let [close, depth] = [open, 0];
  do {
    if (text[close] === '(') depth += 1;
    if (text[close] === ')') depth -= 1;
    close += 1;
  } while (depth > 0);
  const member = text.startsWith('.');
  return {
    id: text.slice(member ? 1 : 0, open),
    member,
    parameters: split(text.slice(open + 1, close - 1)).map(typeNamed),
    result: typeNamed(text.slice(close)),
  };
}

/** Reads a table of functions. */
export function functionsIn(table: string): readonly FunctionDeclaration[] {
  const lines = table.trim().replaceAll('\n  ', ' ').split('\n');
  return lines.map((line) => {
    const [name = '', ...overloads] = line.split(' ');
    return { name, overloads: overloads.map(overloadOf) };
  });
}

/** Returns the conversions of a table. Their ids are like `string_to_int64`. */
export function conversionsIn(table: string): readonly FunctionDeclaration[] {
  const idOf = (name: string) => name.replace('int', 'int64');
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', ...operands] = line.split(' ');
      const overloads = operands.map((each) => `${idOf(each)}_to_${idOf(name)}(${each})${name}`);
      return functionsIn(`${name} ${overloads.join(' ')}`);
    });
}

/** Returns the functions of a table that read parts of timestamps, in UTC or in a time zone, and of durations. */
export function partsIn(table: string): readonly FunctionDeclaration[] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', part = '', other = ''] = line.split(' ');
      const zone = part === 'seconds' ? 'tz' : 'with_tz';
      const id = `.timestamp_to_${part}`;
      const ofDuration = other === '' ? '' : ` .duration_to_${part}(duration)int`;
      return functionsIn(`${name} ${id}(timestamp)int ${id}_${zone}(timestamp,string)int${ofDuration}`);
    });
}

/** The types that can be ordered, by the names that overloads have for them. */
const ORDERED: Readonly<Record<string, Type>> = {
  bool: BOOL,
  int64: INT,
  uint64: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  timestamp: TIMESTAMP,
  duration: DURATION,
};
/** The order in which the overloads for other numbers are declared. */
const NUMBERS = ['double', 'int64', 'uint64'];

/** Returns the four orders. Numbers of different types can be compared. */
export function orders(): readonly FunctionDeclaration[] {
  const names = { '_<_': 'less', '_<=_': 'less_equals', '_>_': 'greater', '_>=_': 'greater_equals' };
  return Object.entries(names).map(([name, prefix]) => ({
    name,
    overloads: Object.entries(ORDERED).flatMap(([key, type]) => {
      const others = NUMBERS.includes(key) ? NUMBERS.filter((other) => other !== key) : [];
      return [
        order(`${prefix}_${key}`, type, type),
        ...others.map((other) => order(`${prefix}_${key}_${other}`, type, ORDERED[other] ?? type)),
      ];
    }),
  }));
}

function order(id: string, left: Type, right: Type): Overload {
  return { id, member: false, parameters: [left, right], result: BOOL };
}

/** Returns the functions of lists whose elements have an order or a sum. */
export function aggregates(): readonly FunctionDeclaration[] {
  const elements = { int: INT, uint: UINT, double: DOUBLE, bool: BOOL, duration: DURATION };
  const all = { ...elements, timestamp: TIMESTAMP, string: STRING, bytes: BYTES };
  const { bool: _bool, ...summed } = elements;
  return [
    aggregate('isSorted', all, (key) => ({ id: `list_${key}_is_sorted_bool`, result: BOOL })),
    aggregate('max', all, (key, result) => ({ id: `list_${key}_max_${key}`, result })),
    aggregate('min', all, (key, result) => ({ id: `list_${key}_min_${key}`, result })),
    aggregate('sum', summed, (key, result) => ({ id: `list_${key}_sum_${key}`, result })),
  ];
}

function aggregate(
  name: string,
  elements: Readonly<Record<string, Type>>,
  overload: (key: string, element: Type) => Pick<Overload, 'id' | 'result'>,
): FunctionDeclaration {
  const overloads = Object.entries(elements).map(([key, element]) => ({
    ...overload(key, element),
    member: true,
    parameters: [listOf(element)],
  }));
  return { name, overloads };
}
