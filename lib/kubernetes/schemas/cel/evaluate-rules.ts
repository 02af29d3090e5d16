import { countValues, isJsonObject, type JsonValue } from '../../../json/index.ts';
import type { FieldError, FieldErrorType } from '../../../selectors/index.ts';
import { child, index, invalid, key, named } from '../../field-errors/index.ts';
import { keysOf } from '../list-identity.ts';
import { sameValue } from '../same-value.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from '../schema.ts';
import { resolveFieldPath } from '../valid-field-path.ts';
import type { Rules } from './rules.ts';

/** The units of cost that the rules of one object may use. */
const MOST_UNITS = 2_000_000;
/** The maximum size of a message that a rule computes. */
const MOST_MESSAGE_BYTES = 5 * 1024;

/**
 * Returns the violations of the rules of a schema and of those below it (pkg/apiserver/schema/cel,
 * Validator.Validate). Rules that use the old value are evaluated only if it is known. Other rules pass for an
 * unchanged value.
 *
 * @param isStored whether the value is stored. A rule with an optional old value then gets the value itself, as in an
 *   update that leaves it unchanged.
 */
export function evaluateRules(
  rules: Rules,
  schema: Schema,
  { value, old, path, isStored = false }: Evaluated,
): FieldError[] {
  rules.refill(MOST_UNITS);
  const evaluation = new Evaluation(rules, isStored);
  evaluation.visit(schema, value, { path, old, unchanged: false });
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
  readonly unchanged: boolean;
}

class Evaluation {
  readonly errors: FieldError[] = [];
  readonly #rules: Rules;
  readonly #isStored: boolean;

  constructor(rules: Rules, isStored: boolean) {
    this.#rules = rules;
    this.#isStored = isStored;
  }

  visit(schema: Schema, value: JsonValue, site: Site): void {
    if (value === null || this.#rules.budget.exceeded) return;
    const { old } = site;
    const unchanged = old === undefined ? site.unchanged : sameValue(value, old);
    const here = { ...site, unchanged };
    this.#own(schema, value, here);
    if (Array.isArray(value)) {
      this.#elements(schema, value, here);
    } else if (isJsonObject(value)) this.#members(schema, value, here);
  }

  #own(schema: Schema, value: JsonValue, site: Site): void {
    const declared = schema['x-kubernetes-validations'] ?? [];
    const type = declared.length === 0 ? undefined : this.#rules.typeOf(schema);
    if (type === undefined) return;
    const { budget } = this.#rules;
    if (!budget.affords(countValues(value, budget.left) + countValues(site.old ?? null, budget.left))) {
      this.#exceed(schema, site);
      return;
    }
    const self = type.convert(value);
    const before = site.old === undefined || site.old === null ? undefined : type.convert(site.old);
    for (const rule of declared) {
      if (this.#rules.budget.exceeded) return;
      this.#evaluate({ schema, rule, self, before, site });
    }
  }

  #evaluate(asked: RuleCase): void {
    const { schema, site } = asked;
    const { type = '' } = schema;
    const found = this.#found(asked, type);
    const isPaid = found === undefined || this.#rules.budget.affords(found.detail?.length ?? 1);
    if (!isPaid || this.#rules.budget.exceeded) {
      this.#exceed(schema, site);
    } else if (found !== undefined) {
      this.errors.push(found);
    }
  }

  #exceed({ type = '' }: Schema, { path }: Site): void {
    const detail =
      'validation failed due to running out of cost budget, no further validation rules will be run';
    this.errors.push(invalid(path, type, detail));
  }

  #found({ schema, rule, self, before, site }: RuleCase, type: string): FieldError | undefined {
    try {
      const expression = this.#rules.compile(schema, rule);
      const { usesOldSelf } = expression;
      if (usesOldSelf && before === undefined && rule.optionalOldSelf !== true) return undefined;
      const former = this.#isStored && rule.optionalOldSelf === true ? self : before;
      const activation = { self, oldSelf: this.#rules.oldSelf(rule, former) };
      if (expression.evaluate(activation) === true) return undefined;
      if (site.unchanged && !usesOldSelf) return undefined;
      return broken(schema, rule, site.path, this.#message(schema, rule, activation));
    } catch (error) {
      return invalid(site.path, type, `${reasonOf(error)} evaluating rule: ${nameOf(rule)}`);
    }
  }

  /** Returns the message that the rule computes, if it is usable. */
  #message(schema: Schema, rule: ValidationRule, activation: { self: unknown; oldSelf: unknown }): string {
    const { messageExpression = '', message = '' } = rule;
    const fallback = message === '' ? `failed rule: ${nameOf(rule)}` : message.trim();
    if (messageExpression === '') return fallback;
    try {
      const made = String(this.#rules.compileMessage(schema, rule).evaluate(activation)).trim();
      const usable = made !== '' && !made.includes('\n') && Buffer.byteLength(made) <= MOST_MESSAGE_BYTES;
      return usable ? made : fallback;
    } catch {
      return fallback;
    }
  }

  #elements(schema: Schema, values: readonly JsonValue[], { path, old, unchanged }: Site): void {
    const items = itemsOf(schema);
    if (items === undefined) return;
    const correlates = schema['x-kubernetes-list-type'] === 'map' && Array.isArray(old);
    const before = new Map(correlates ? old.map((element) => [keysOf(schema, element), element]) : []);
    for (const [at, value] of values.entries()) {
      const site = { path: index(path, at), old: before.get(keysOf(schema, value)), unchanged };
      this.visit(items, value, site);
    }
  }

  #members(schema: Schema, value: Readonly<Record<string, JsonValue>>, { path, old, unchanged }: Site): void {
    const properties = propertiesOf(schema);
    const additional = additionalOf(schema);
    for (const [name, member] of Object.entries(value)) {
      const property = properties.get(name);
      const own = property ?? additional;
      if (own === undefined) continue;
      const at = property === undefined ? key(path, name) : child(path, name);
      this.visit(own, member, { path: at, old: isJsonObject(old) ? old[name] : undefined, unchanged });
    }
  }
}

interface RuleCase {
  readonly schema: Schema;
  readonly rule: ValidationRule;
  readonly self: unknown;
  readonly before: unknown;
  readonly site: Site;
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

function reasonOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return first.replace(/^No such key/, 'no such key');
}
