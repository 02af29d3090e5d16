import type { ComprehensionExpression, Expression } from '../ast.ts';
import { ACCUMULATOR, type MacroBuilder } from './builder.ts';

/** Thrown when the arguments of a macro have the wrong form. */
export class MacroError extends Error {
  /** The argument that is wrong. */
  readonly argument: Expression;

  constructor(argument: Expression, message: string) {
    super(message);
    this.argument = argument;
  }
}

/** A call with a receiver that may be a macro. */
interface MacroCall {
  readonly build: MacroBuilder;
  readonly target: Expression;
  readonly args: readonly Expression[];
}

type Macro = (call: MacroCall) => Expression;

/**
 * Returns the expansion of a call; undefined if the call is no macro. The expansion throws {@link MacroError} if the
 * arguments have the wrong form.
 */
export function macroOf(
  name: string,
  args: readonly Expression[],
  target: Expression | undefined,
): ((build: MacroBuilder) => Expression) | undefined {
  const key = `${name}:${args.length}`;
  if (target === undefined) return key === 'has:1' ? (build) => has(build, at(args, 0)) : undefined;
  const macro = MACROS.get(key);
  return macro && ((build) => macro({ build, target, args }));
}

/** Macros with a receiver, by name and number of arguments. */
const MACROS: ReadonlyMap<string, Macro> = new Map(
  Object.entries({
    'all:2': quantifier(all),
    'exists:2': quantifier(exists),
    'exists_one:2': quantifier(existsOne),
    'all:3': quantifier(all),
    'exists:3': quantifier(exists),
    'exists_one:3': quantifier(existsOne),
    'existsOne:3': quantifier(existsOne),
    'map:2': collect((args) => ({ transform: at(args, 1) })),
    'map:3': collect((args) => ({ filter: at(args, 1), transform: at(args, 2) })),
    'filter:2': collect((args) => ({ filter: at(args, 1), transform: at(args, 0) })),
    'transformList:3': transformList,
    'transformList:4': transformList,
    'transformMap:3': transformMap(entryOfKey),
    'transformMap:4': transformMap(entryOfKey),
    'transformMapEntry:3': transformMap(wholeEntry),
    'transformMapEntry:4': transformMap(wholeEntry),
    'optMap:2': (call: MacroCall) =>
      optional(call, 'optMap', (build, value) => build.call('optional.of', value())),
    'optFlatMap:2': (call: MacroCall) => optional(call, 'optFlatMap', (_build, value) => value()),
  }),
);

function at(args: readonly Expression[], index: number): Expression {
  const arg = args[index];
  if (arg === undefined) throw new RangeError(`a macro has no argument ${index}`);
  return arg;
}

function has(build: MacroBuilder, operand: Expression): Expression {
  if (operand.kind !== 'select') throw new MacroError(operand, 'invalid argument to has() macro');
  return build.presence(operand.operand, operand.field);
}

/** The accumulator's start, the loop's condition and step, and the value in the end. */
type Loop = Pick<ComprehensionExpression, 'start' | 'condition' | 'step' | 'result'>;

function quantifier(loop: (build: MacroBuilder, predicate: Expression) => Loop): Macro {
  return ({ build, target, args }) => {
    const variables =
      args.length === 3 ? twoVariables(args) : oneVariable(args, 'argument must be a simple name');
    const parts = loop(build, at(args, args.length - 1));
    return looped(build, target, variables, parts);
  };
}

function looped(build: MacroBuilder, range: Expression, variables: Variables, loop: Loop): Expression {
  return build.comprehension({ range, ...variables, accumulator: ACCUMULATOR, ...loop });
}

function all(build: MacroBuilder, predicate: Expression): Loop {
  const start = build.bool(true);
  const condition = build.call('@not_strictly_false', build.accumulator());
  const step = build.call('_&&_', build.accumulator(), predicate);
  return { start, condition, step, result: build.accumulator() };
}

function exists(build: MacroBuilder, predicate: Expression): Loop {
  const start = build.bool(false);
  const condition = build.call('@not_strictly_false', build.call('!_', build.accumulator()));
  const step = build.call('_||_', build.accumulator(), predicate);
  return { start, condition, step, result: build.accumulator() };
}

function existsOne(build: MacroBuilder, predicate: Expression): Loop {
  const start = build.int(0n);
  const condition = build.bool(true);
  const more = build.call('_+_', build.accumulator(), build.int(1n));
  const step = build.call('_?_:_', predicate, more, build.accumulator());
  return { start, condition, step, result: build.call('_==_', build.accumulator(), build.int(1n)) };
}

interface Collected {
  readonly filter?: Expression;
  readonly transform: Expression;
}

/** A macro with one variable whose value is a list. */
function collect(parts: (args: readonly Expression[]) => Collected): Macro {
  return ({ build, target, args }) => {
    const variables = oneVariable(args, 'argument is not an identifier');
    const start = build.list();
    const condition = build.bool(true);
    const step = appended(build, parts(args));
    return looped(build, target, variables, { start, condition, step, result: build.accumulator() });
  };
}

function appended(build: MacroBuilder, { filter, transform }: Collected): Expression {
  return onlyIf(build, filter, build.call('_+_', build.accumulator(), build.list(transform)));
}

function onlyIf(build: MacroBuilder, filter: Expression | undefined, step: Expression): Expression {
  return filter === undefined ? step : build.call('_?_:_', filter, step, build.accumulator());
}

/** The parts of a macro with two variables, an optional filter and a transformation. */
function transformation(args: readonly Expression[]): Collected {
  const transform = at(args, args.length - 1);
  return args.length === 4 ? { filter: at(args, 2), transform } : { transform };
}

function transformList({ build, target, args }: MacroCall): Expression {
  const variables = twoVariables(args);
  const step = appended(build, transformation(args));
  return looped(build, target, variables, filled(build, step, build.list()));
}

/** The loop that fills a list or map. */
function filled(build: MacroBuilder, step: Expression, start: Expression): Loop {
  const condition = build.bool(true);
  return { start, condition, step, result: build.accumulator() };
}

/** Returns the call that inserts into the accumulator. */
type Insertion = (build: MacroBuilder, variable: string, transform: Expression) => Expression;

function entryOfKey(build: MacroBuilder, variable: string, transform: Expression): Expression {
  return build.call('cel.@mapInsert', build.accumulator(), build.identifier(variable), transform);
}

function wholeEntry(build: MacroBuilder, _variable: string, transform: Expression): Expression {
  return build.call('cel.@mapInsert', build.accumulator(), transform);
}

function transformMap(insertion: Insertion): Macro {
  return ({ build, target, args }) => {
    const variables = twoVariables(args);
    const { filter, transform } = transformation(args);
    const step = onlyIf(build, filter, insertion(build, variables.variable, transform));
    return looped(build, target, variables, filled(build, step, build.emptyMap()));
  };
}

/** A macro of optionals: a loop over nothing, whose accumulator is the value. */
function optional(
  { build, target, args }: MacroCall,
  macro: string,
  wrapped: (build: MacroBuilder, value: () => Expression) => Expression,
): Expression {
  const variable = at(args, 0);
  if (variable.kind !== 'identifier') {
    throw new MacroError(variable, `${macro}() variable name must be a simple identifier`);
  }
  const present = build.memberCall('hasValue', target);
  const value = wrapped(build, () =>
    build.comprehension({
      range: build.list(),
      variable: '#unused',
      variable2: undefined,
      accumulator: variable.name,
      start: build.memberCall('value', build.copy(target)),
      condition: build.bool(false),
      step: build.identifier(variable.name),
      result: at(args, 1),
    }),
  );
  return build.call('_?_:_', present, value, build.call('optional.none'));
}

type Variables = Pick<ComprehensionExpression, 'variable' | 'variable2'>;

function oneVariable(args: readonly Expression[], otherwise: string): Variables {
  const variable = nameOf(at(args, 0), otherwise);
  refuseAccumulator(at(args, 0), variable);
  return { variable, variable2: undefined };
}

function twoVariables(args: readonly Expression[]): Variables & { readonly variable2: string } {
  const [first, second] = [at(args, 0), at(args, 1)];
  const variable = nameOf(first, 'argument must be a simple name');
  const variable2 = nameOf(second, 'argument must be a simple name');
  if (variable === variable2) throw new MacroError(second, `duplicate variable name: ${variable}`);
  refuseAccumulator(first, variable);
  refuseAccumulator(second, variable2);
  return { variable, variable2 };
}

function nameOf(argument: Expression, otherwise: string): string {
  if (argument.kind !== 'identifier') throw new MacroError(argument, otherwise);
  return argument.name;
}

function refuseAccumulator(argument: Expression, name: string): void {
  if (name !== '__result__') return;
  throw new MacroError(argument, 'iteration variable overwrites accumulator variable');
}
