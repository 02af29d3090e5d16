import type { Meter, Value } from '../../../cel/index.ts';
import { isJsonObject, type JsonValue } from '../../../json/index.ts';
import type { FieldError, FieldErrorType } from '../../../selectors/index.ts';
import { child, index, invalid, key, named } from '../../field-errors/index.ts';
import { isUnchanged, oldElements } from '../correlate.ts';
import { PatternWorkError } from '../patterns.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from '../schema.ts';
import { resolveFieldPath } from '../valid-field-path.ts';
import { CompilationError, type Compiled, type Rules } from './rules.ts';

/** The units of cost that the rules of one object may use (k8s.io/apiserver/pkg/apis/cel, RuntimeCELCostBudget). */
const MOST_UNITS = 10_000_000;
/** The units of cost of one evaluation (PerCallLimit). */
const MOST_CALL_UNITS = 1_000_000;
/** The maximum size of a message that a rule computes. */
const MOST_MESSAGE_BYTES = 5 * 1024;

/**
 * Returns the violations of the rules of a schema and of those below it (pkg/apiserver/schema/cel,
 * Validator.Validate). Rules that use the old value are evaluated only if it is known. Other rules may be false for an
 * unchanged value, but must have a value.
 *
 * @param isStored whether the value is stored. A rule with an optional old value then gets the value itself, as in an
 *   update that leaves it unchanged.
 * @throws {TimeExceededError} a rule takes too long; this says nothing about the value
 */
export function evaluateRules(
  rules: Rules,
  schema: Schema,
  { value, old, path, isStored = false }: Evaluated,
): FieldError[] {
  rules.refill();
  const evaluation = new Evaluation(rules, isStored);
  evaluation.visit(schema, value, siteOf(schema, value, old, { path, isUnchanged: () => false }));
  return evaluation.errors;
}

interface Evaluated {
  readonly value: JsonValue;
  readonly old?: JsonValue;
  readonly path: string;
  readonly isStored?: boolean;
}

interface Site {
  readonly path: string;
  readonly old: JsonValue | undefined;
  /** Whether the nearest enclosing value that can be correlated with its old value is unchanged. */
  readonly isUnchanged: () => boolean;
}

/** Returns the site of a value. Without an old value, it is unchanged if the value around it is. */
function siteOf(
  schema: Schema,
  value: JsonValue,
  old: JsonValue | undefined,
  { path, isUnchanged: isParentUnchanged }: Omit<Site, 'old'>,
): Site {
  if (old === undefined) return { path, old, isUnchanged: isParentUnchanged };
  let known: boolean | undefined;
  return {
    path,
    old,
    isUnchanged: () => {
      known ??= isUnchanged(schema, value, old);
      return known;
    },
  };
}

/** Thrown when the budget of an object is spent: no further rule is evaluated. */
class SpentError extends Error {}

class Evaluation {
  readonly errors: FieldError[] = [];
  readonly #rules: Rules;
  readonly #isStored: boolean;
  #left = MOST_UNITS;
  #ended = false;

  constructor(rules: Rules, isStored: boolean) {
    this.#rules = rules;
    this.#isStored = isStored;
  }

  visit(schema: Schema, value: JsonValue, site: Site): void {
    if (value === null || this.#ended) return;
    this.#own(schema, value, site);
    if (Array.isArray(value)) {
      this.#elements(schema, value, site);
    } else if (isJsonObject(value)) this.#members(schema, value, site);
  }

  #own(schema: Schema, value: JsonValue, site: Site): void {
    const declared = schema['x-kubernetes-validations'] ?? [];
    const shape = declared.length === 0 ? undefined : this.#rules.shapeOf(schema);
    if (shape === undefined) return;
    const { cel } = this.#rules;
    const self = cel.fromJson(value, shape);
    const hasOld = site.old !== undefined && site.old !== null;
    const before = hasOld ? cel.fromJson(site.old, shape) : undefined;
    for (const rule of declared) {
      if (this.#ended || (rule.rule ?? '').trim() === '') continue;
      this.#evaluate({ schema, rule, self, before, site });
    }
  }

  #evaluate(asked: RuleCase): void {
    try {
      const found = this.#found(asked);
      if (found !== undefined) this.errors.push(found);
    } catch (error) {
      if (!(error instanceof SpentError)) throw error;
      this.#ended = true;
      this.errors.push(wrong(asked, error.message));
    }
  }

  #found(asked: RuleCase): FieldError | undefined {
    const { schema, rule, self, before, site } = asked;
    const compiled = this.#compiled(asked);
    if ('type' in compiled) return compiled;
    const { usesOldSelf } = compiled;
    const isOptional = rule.optionalOldSelf === true;
    if (usesOldSelf && before === undefined && !isOptional) return undefined;
    const activation = isOptional
      ? { self, oldSelf: this.#optional(this.#isStored ? self : before) }
      : { self, oldSelf: before };
    const value = this.#run(compiled, activation, { what: `rule: ${nameOf(rule)}`, spent: SPENT });
    if (value instanceof this.#rules.cel.CelError) return wrong(asked, failure(value.message, rule));
    if (value === true || (!usesOldSelf && site.isUnchanged())) return undefined;
    return broken(schema, rule, site.path, this.#message(asked));
  }

  #compiled({ schema, rule, site }: RuleCase): Compiled | FieldError {
    try {
      return this.#rules.compileStored(schema, rule, 'rule');
    } catch (error) {
      if (!(error instanceof CompilationError)) throw error;
      return invalid(site.path, schema.type ?? '', `rule compile error: ${error.message}`);
    }
  }

  #optional(value: Value | undefined): Value {
    const { NONE, OptionalValue } = this.#rules.cel;
    return value === undefined ? NONE : new OptionalValue(value);
  }

  /** Evaluates an expression and pays for it. @throws {SpentError} */
  #run(compiled: Compiled, activation: Activation, { what, spent }: Words): Value {
    if (this.#left <= 0) throw new SpentError(SPENT);
    const meter = new this.#rules.cel.Meter({ cost: MOST_CALL_UNITS, now: this.#rules.now });
    const value = this.#value(compiled, activation, meter);
    this.#left -= meter.cost;
    if (this.#left < 0) throw new SpentError(spent);
    if (!(value instanceof Error)) return value;
    const further = 'no further validation rules will be run due to call cost exceeds limit for';
    throw new SpentError(`'${value.message}': ${further} ${what}`);
  }

  /** Returns the value, or the error of a limit of one evaluation. */
  #value({ program }: Compiled, activation: Activation, meter: Meter): Value | Error {
    try {
      return program.evaluate((name) => (name === 'self' ? activation.self : activation.oldSelf), meter);
    } catch (error) {
      if (error instanceof this.#rules.cel.BudgetExceededError) return error;
      if (error instanceof PatternWorkError) return error;
      throw error;
    }
  }

  /** Returns the message that the rule computes, if it is usable. */
  #message({ schema, rule, self, before }: RuleCase): string {
    const { messageExpression = '', message = '' } = rule;
    const fallback = message === '' ? `failed rule: ${nameOf(rule)}` : message.trim();
    if (messageExpression === '') return fallback;
    const compiled = this.#compiledMessage(schema, rule);
    if (compiled === undefined) return fallback;
    const what = `messageExpression: ${JSON.stringify(messageExpression)}`;
    const spent = `messageExpression evaluation ${SPENT.slice('validation '.length)}`;
    const oldSelf = this.#transitions(schema) ? before : undefined;
    const value = this.#run(compiled, { self, oldSelf }, { what, spent });
    if (typeof value !== 'string') return fallback;
    const made = value.trim();
    const usable = made !== '' && !made.includes('\n') && Buffer.byteLength(made) <= MOST_MESSAGE_BYTES;
    return usable ? made : fallback;
  }

  /** Whether a rule of a schema uses the old value. Otherwise upstream hides it from messages, too. */
  #transitions(schema: Schema): boolean {
    return (schema['x-kubernetes-validations'] ?? []).some((rule) => {
      try {
        return this.#rules.compileStored(schema, rule, 'rule').usesOldSelf;
      } catch (error) {
        if (error instanceof CompilationError) return false;
        throw error;
      }
    });
  }

  #compiledMessage(schema: Schema, rule: ValidationRule): Compiled | undefined {
    try {
      return this.#rules.compileStored(schema, rule, 'message');
    } catch (error) {
      if (error instanceof CompilationError) return undefined;
      throw error;
    }
  }

  #elements(schema: Schema, values: readonly JsonValue[], { path, old, isUnchanged: unchanged }: Site): void {
    const items = itemsOf(schema);
    if (items === undefined) return;
    const before = oldElements(schema, old);
    for (const [at, value] of values.entries()) {
      const place = { path: index(path, at), isUnchanged: unchanged };
      this.visit(items, value, siteOf(items, value, before(value), place));
    }
  }

  #members(schema: Schema, value: Readonly<Record<string, JsonValue>>, site: Site): void {
    const { path, old, isUnchanged: unchanged } = site;
    const properties = propertiesOf(schema);
    const additional = additionalOf(schema);
    for (const [name, member] of Object.entries(value)) {
      const property = properties.get(name);
      const own = property ?? additional;
      if (own === undefined) continue;
      const at = property === undefined ? key(path, name) : child(path, name);
      const before = isJsonObject(old) && Object.hasOwn(old, name) ? old[name] : undefined;
      const place = { path: at, isUnchanged: unchanged };
      // The apiVersion and kind of an object are never the old ones: both objects were converted to this version.
      const isConverted = path === '' && (name === 'apiVersion' || name === 'kind');
      this.visit(
        own,
        member,
        isConverted
          ? { ...place, old: before, isUnchanged: () => false }
          : siteOf(own, member, before, place),
      );
    }
  }
}

const SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The words of messages about a spent budget: the expression, and the message if the object's budget is spent. */
interface Words {
  readonly what: string;
  readonly spent: string;
}

interface Activation {
  readonly self: Value;
  readonly oldSelf: Value | undefined;
}

interface RuleCase {
  readonly schema: Schema;
  readonly rule: ValidationRule;
  readonly self: Value;
  readonly before: Value | undefined;
  readonly site: Site;
}

function wrong({ schema, site }: RuleCase, detail: string): FieldError {
  return invalid(site.path, schema.type ?? '', detail);
}

/** Returns the message for a rule without a value: an absent field, a division by zero. */
function failure(message: string, rule: ValidationRule): string {
  if (!message.startsWith('no such overload')) return `${message} evaluating rule: ${nameOf(rule)}`;
  const why = 'call arguments did not match a supported operator, function or macro signature for rule';
  return `'${message}': ${why}: ${nameOf(rule)}`;
}

function broken(schema: Schema, rule: ValidationRule, path: string, detail: string): FieldError {
  const { fieldPath = '', reason = '' } = rule;
  const resolved = fieldPath === '' ? undefined : resolveFieldPath(fieldPath, schema);
  const at = resolved === undefined || 'error' in resolved ? path : child(path, resolved.path);
  const type = reason.replace(/^FieldValue/, '');
  if (type === 'Forbidden' || type === 'Required') return { type, field: named(at), detail };
  const value = schema.type ?? '';
  const kind: FieldErrorType = type === 'Duplicate' ? 'Duplicate' : 'Invalid';
  return { type: kind, field: named(at), value, detail: kind === 'Duplicate' ? '' : detail };
}

/** Returns the name of a rule in messages: its own message, or else its text. */
function nameOf({ message = '', rule = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}
