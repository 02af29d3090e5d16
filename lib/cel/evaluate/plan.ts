import type { CallExpression, ComprehensionExpression, Constant, Expression } from '../ast.ts';
import type { Checked } from '../checked.ts';
import type { Environment, Overload } from '../declarations.ts';
import { type Regexes, SINGLETONS } from '../functions/index.ts';
import { Meter } from '../meter.ts';
import {
  AbortedError,
  CelError,
  ListValue,
  MutableMap,
  TypeValue,
  Uint,
  type Value,
} from '../values/index.ts';
import {
  type Attribute,
  AttributeStep,
  ChoiceAttribute,
  ComputedQualifier,
  ConstantQualifier,
  keyOf,
  PathAttribute,
  TestQualifier,
} from './attributes.ts';
import {
  CallStep,
  EqualStep,
  implementationOf,
  LogicStep,
  MemberStep,
  NotFalseStep,
  OrStep,
} from './calls.ts';
import { ListStep, MapStep, StructStep } from './literals.ts';
import { LoopStep, stateAt } from './loop.ts';
import { ConstantStep, type Run, type Step } from './step.ts';

/** An expression that type-checks but cannot become a program, such as one with a wrong constant pattern. */
export class ProgramError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramError';
  }
}

/** The declarations that the checker used. The overloads of a function are tried in their order. */
export interface PlanOptions extends Pick<Environment, 'functions' | 'implementations' | 'construct'> {
  readonly regexes: Regexes;
}

/** Conversions of constants are computed once, and cost nothing. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  ...['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'],
]);

/** Functions whose second argument is a regular expression. Constant ones are compiled once. */
const MATCHING: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** A variable of the comprehensions around an expression. */
interface Scope {
  readonly name: string;
  readonly read: (run: Run) => Value;
  readonly outer: Scope | undefined;
}

/** Turns a checked expression into steps. */
export class Planner {
  readonly #checked: Checked;
  readonly #options: PlanOptions;
  #slots = 0;
  #scope: Scope | undefined;

  constructor(checked: Checked, options: PlanOptions) {
    this.#checked = checked;
    this.#options = options;
  }

  /** @throws {ProgramError} */
  plan(expression: Expression): Step {
    switch (expression.kind) {
      case 'constant':
        return new ConstantStep(constantOf(expression.constant));
      case 'identifier':
        return this.#planName(expression.id, expression.name);
      case 'select':
        return this.#planSelect(expression);
      case 'call':
        return this.#planCall(expression);
      case 'list':
        return this.#folded(
          new ListStep(
            expression.elements.map((element) => this.plan(element)),
            expression.optionalIndices,
          ),
        );
      case 'map':
        return this.#folded(
          new MapStep(
            expression.entries.map(({ key, value, optional }) => ({
              key: this.plan(key),
              value: this.plan(value),
              optional,
            })),
          ),
        );
      case 'struct':
        return new StructStep(
          expression.typeName,
          expression.fields.map(({ name, value, optional }) => ({
            key: new ConstantStep(name),
            value: this.plan(value),
            optional,
          })),
          this.#options.construct,
        );
      case 'comprehension':
        return this.#planLoop(expression);
    }
  }

  #planName(id: number, name: string): Step {
    const reference = this.#checked.references.get(id);
    if (reference?.kind === 'identifier' && reference.constant !== undefined) {
      return new ConstantStep(constantOf(reference.constant));
    }
    const type = this.#checked.types.get(id);
    if (type?.kind === 'type') return new ConstantStep(new TypeValue(type.parameters[0]?.name ?? name));
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      if (scope.name === name) return new AttributeStep(new PathAttribute(scope.read));
    }
    const missing = new CelError(`no such attribute(s): ${name}`);
    return new AttributeStep(
      new PathAttribute((run) => {
        const value = run.activation(name);
        return value === undefined ? missing : value;
      }),
    );
  }

  #planSelect({ id, operand, field, testOnly }: Extract<Expression, { kind: 'select' }>): Step {
    if (this.#checked.references.has(id)) return this.#planName(id, field);
    const attribute = attributeOf(this.plan(operand));
    attribute.add(testOnly ? new TestQualifier(field) : new ConstantQualifier(field, false));
    return new AttributeStep(attribute, testOnly);
  }

  #planCall(expression: CallExpression): Step {
    const { function: name, target, args: written } = expression;
    const args = [...(target === undefined ? [] : [target]), ...written].map((arg) => this.plan(arg));
    const [one, two, three] = args;
    if (one !== undefined && two !== undefined) {
      if (name === '_&&_') return new LogicStep(false, args);
      if (name === '_||_') return new LogicStep(true, args);
      if (name === '_==_' || name === '_!=_') return new EqualStep(name, one, two);
      if (name === '_[_]') return planIndex(one, two, false);
      if (name === '_?._' || name === '_[?_]') return planIndex(one, two, true);
      if (name === 'or' || name === 'orValue') return new OrStep(one, two, name === 'orValue');
      if (name === '_?_:_' && three !== undefined) {
        return new AttributeStep(new ChoiceAttribute(one, attributeOf(two), attributeOf(three)));
      }
    }
    if (name === '@not_strictly_false' && one !== undefined) return new NotFalseStep(one);
    return this.#planFunction(expression, args);
  }

  #planFunction({ id, function: name }: CallExpression, args: readonly Step[]): Step {
    const overloads = this.#overloadsOf(id, name);
    const only = overloads.length === 1 ? (overloads[0]?.id ?? '') : '';
    const [one, two] = args;
    if (only === 'in_list' && one !== undefined && two instanceof ConstantStep) {
      const member = memberStep(one, two.value);
      if (member !== undefined) return member;
    }
    const pattern = MATCHING.has(name) && two instanceof ConstantStep ? two.value : undefined;
    if (typeof pattern === 'string') this.#compile(pattern);
    const call = new CallStep({
      name,
      overload: only,
      args,
      implementation: implementationOf(
        name,
        this.#candidates(name, overloads),
        this.#options.implementations,
      ),
      stopsAtError: stopsAtError(name, args.length, only) || typeof pattern === 'string',
    });
    if (!CONVERSIONS.has(name) || !(one instanceof ConstantStep) || args.length !== 1) return call;
    const value = this.#now(call);
    if (value instanceof CelError) throw new ProgramError(value.message);
    return new ConstantStep(value);
  }

  /** Several overloads are left for dynamic operands. Then cel-go tries all of the function, in their order. */
  #candidates(name: string, overloads: readonly Overload[]): readonly Overload[] {
    return overloads.length === 1 ? overloads : (this.#options.functions.get(name)?.overloads ?? overloads);
  }

  #overloadsOf(id: number, name: string): readonly Overload[] {
    const reference = this.#checked.references.get(id);
    const ids = reference?.kind === 'function' ? reference.overloads : [];
    return (this.#options.functions.get(name)?.overloads ?? []).filter((overload) =>
      ids.includes(overload.id),
    );
  }

  #compile(pattern: string): void {
    const compiled = this.#options.regexes(pattern);
    if ('error' in compiled) throw new ProgramError(compiled.error);
  }

  /** Computes a list or map of constants once. It costs nothing then. */
  #folded(step: ListStep | MapStep): Step {
    return step.parts.every((part) => part instanceof ConstantStep)
      ? new ConstantStep(this.#now(step))
      : step;
  }

  #now(step: Step): Value {
    const meter = new Meter({ cost: Number.POSITIVE_INFINITY });
    try {
      return step.evaluate({ meter, regexes: this.#options.regexes, activation: () => undefined, loops: [] });
    } catch (error) {
      if (error instanceof AbortedError) throw new ProgramError(error.message);
      throw error;
    }
  }

  #planLoop(expression: ComprehensionExpression): Step {
    const outer = this.#scope;
    const { variable, variable2, accumulator } = expression;
    const slot = this.#slots;
    this.#slots += 1;
    const [start, range] = [this.plan(expression.start), this.plan(expression.range)];
    let loop: LoopStep | undefined;
    const result: Scope = { name: accumulator, read: (run) => loop?.accumulator(run) ?? null, outer };
    const second: Scope | undefined =
      variable2 === undefined
        ? outer
        : { name: variable2, read: (run) => stateAt(run, slot).variable2, outer };
    const inner: Scope = { name: variable, read: (run) => stateAt(run, slot).variable, outer: second };
    this.#scope = { ...result, outer: inner };
    const [condition, step] = [this.plan(expression.condition), this.plan(expression.step)];
    this.#scope = result;
    const end = this.plan(expression.result);
    this.#scope = outer;
    loop = new LoopStep({
      slot,
      range,
      hasTwoVariables: variable2 !== undefined,
      start,
      condition,
      step,
      result: end,
    });
    return loop;
  }
}

/** Returns the attribute of a step, to which qualifiers can be added. */
function attributeOf(step: Step): Attribute {
  return step instanceof AttributeStep ? step.attribute : new PathAttribute((run) => step.evaluate(run));
}

function planIndex(operand: Step, index: Step, optional: boolean): Step {
  const attribute = attributeOf(operand);
  if (index instanceof ConstantStep) {
    const key = keyOf(index.value);
    if (key instanceof CelError) throw new ProgramError(key.message);
    attribute.add(new ConstantQualifier(index.value, optional));
  } else {
    const key = attributeOf(index);
    attribute.add(new ComputedQualifier((run) => key.resolve(run), optional));
  }
  return new AttributeStep(attribute);
}

/** cel-go stops at the first error in calls that it does not treat as unary or binary. */
function stopsAtError(name: string, count: number, only: string): boolean {
  if (SINGLETONS[name] !== undefined) return false;
  return count > 2 || only === '' || only === 'string_format';
}

/** Returns the step for `in` and a list of constants, if all of them are scalars. */
function memberStep(operand: Step, list: Value): Step | undefined {
  if (!(list instanceof ListValue)) return undefined;
  if (list.size === 0) return new ConstantStep(false);
  const members = new MutableMap();
  for (const member of list) {
    const isScalar =
      member instanceof Uint || ['string', 'boolean', 'bigint', 'number'].includes(typeof member);
    if (!isScalar) return undefined;
    if (!Number.isNaN(member)) members.set(member, true);
    for (const same of sameNumbers(member)) members.set(same, true);
  }
  return new MemberStep(operand, members);
}

/** Returns the numbers of other types that equal a number. `MutableMap` finds ints by uints, and the reverse. */
function sameNumbers(member: Value): Value[] {
  if (typeof member === 'bigint') return [Number(member)];
  if (typeof member === 'number') return Number.isInteger(member) ? [BigInt(member)] : [];
  return member instanceof Uint ? [Number(member.value)] : [];
}

function constantOf(constant: Constant): Value {
  if (constant.type === 'null') return null;
  return constant.type === 'uint' ? new Uint(constant.value) : constant.value;
}
