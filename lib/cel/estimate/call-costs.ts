import { type CallCost, type Operand, sizeOrUnknown } from './operand.ts';
import {
  add,
  MOST,
  multiply,
  NOTHING,
  ONE,
  PER_CHARACTER,
  PER_PATTERN_CHARACTER,
  type Range,
  scale,
  union,
} from './range.ts';

/** A call of a function of the language. `costs` are the costs of its arguments. */
export interface LanguageCall {
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  readonly costs: readonly Range[];
}

type Costing = (call: LanguageCall) => CallCost;

/** Returns the cost of a call of this overload and of its arguments (cel-go, checker/cost.go). */
export function callCost(overload: string, call: LanguageCall): CallCost {
  const own = WITH_ARGUMENTS.get(overload);
  if (own !== undefined) return own(call);
  const { cost, ...rest } = (COSTS.get(overload) ?? (() => ({ cost: ONE })))(call);
  return { ...rest, cost: add(cost, ...call.costs) };
}

/** Overloads that do not evaluate all of their arguments. */
const WITH_ARGUMENTS: ReadonlyMap<string, Costing> = new Map([
  ['logical_or', shortCircuit],
  ['logical_and', shortCircuit],
  ['conditional', conditional],
]);

function shortCircuit({ costs: [left = NOTHING, right = NOTHING] }: LanguageCall): CallCost {
  return { cost: { min: left.min, max: add(left, right).max } };
}

function conditional({
  args,
  costs: [condition = NOTHING, then = NOTHING, otherwise = NOTHING],
}: LanguageCall): CallCost {
  const size = union(sizeOrUnknown(args[1]), sizeOrUnknown(args[2]));
  return { cost: add(condition, union(then, otherwise)), size };
}

const COSTS: ReadonlyMap<string, Costing> = new Map([
  ['string_format', ({ target }) => ({ cost: scale(sizeOrUnknown(target), PER_CHARACTER) })],
  ['string_to_bytes', converted(({ min, max }) => ({ min, max: wrapped(max * 4n) }))],
  ['bytes_to_string', converted(({ min, max }) => ({ min: min / 4n, max }))],
  ['strings_quote', converted(({ min, max }) => ({ min: wrapped(min + 2n), max: wrapped(max * 2n + 2n) }))],
  ['starts_with_string', ({ args }) => ({ cost: scale(sizeOrUnknown(args[0]), PER_CHARACTER) })],
  ['ends_with_string', ({ args }) => ({ cost: scale(sizeOrUnknown(args[0]), PER_CHARACTER) })],
  ['in_list', ({ args }) => ({ cost: scale(sizeOrUnknown(args[1]), 1) })],
  ['matches_string', matches],
  [
    'contains_string',
    ({ target, args }) => ({
      cost: multiply(
        scale(sizeOrUnknown(target), PER_CHARACTER),
        scale(sizeOrUnknown(args[0]), PER_CHARACTER),
      ),
    }),
  ],
  ['add_string', joined],
  ['add_bytes', joined],
  ['add_list', (call) => ({ ...joined(call), cost: ONE })],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((order): [string, Costing][] => [
    [`${order}_string`, compared],
    [`${order}_bytes`, compared],
  ]),
  ['equals', compared],
  ['not_equals', compared],
] satisfies [string, Costing][]);

/** Upstream does not guard these products: they lose what exceeds 64 bits. */
function wrapped(value: bigint): bigint {
  return value > MOST ? BigInt.asUintN(64, value) : value;
}

function converted(resultSize: (size: Range) => Range): Costing {
  return ({ args }) => {
    const size = sizeOrUnknown(args[0]);
    return { cost: scale(size, PER_CHARACTER), size: resultSize(size) };
  };
}

function matches({ target, args }: LanguageCall): CallCost {
  const text = scale(add(sizeOrUnknown(target), ONE), PER_CHARACTER);
  return { cost: multiply(text, scale(sizeOrUnknown(args[0]), PER_PATTERN_CHARACTER)) };
}

function joined({ args }: LanguageCall): CallCost {
  const size = add(sizeOrUnknown(args[0]), sizeOrUnknown(args[1]));
  return { cost: scale(size, PER_CHARACTER), size };
}

function compared({ args }: LanguageCall): CallCost {
  const [left, right] = [sizeOrUnknown(args[0]), sizeOrUnknown(args[1])];
  const max = left.max < right.max ? left.max : right.max;
  return { cost: scale({ min: max > 0n ? 1n : 0n, max }, PER_CHARACTER) };
}
