import type { FieldError } from '../../../selectors/index.ts';
import { child, forbidden, index, invalid, invalidPrinted, key } from '../../field-errors/index.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from '../schema.ts';
import { type CostNode, expressionCost, mostElements } from './cost.ts';
import type { Rules } from './rules.ts';

/**
 * The maximum cost of one rule for all values of its schema (pkg/apis/apiextensions/validation,
 * StaticEstimatedCostLimit).
 */
const MOST_RULE_COST = 10_000_000;
/** The maximum cost of all rules of a definition. */
const MOST_COST = 100_000_000;
/** The maximum number of reported rules, the most expensive first. */
const MOST_TOLD = 4;

/**
 * Returns the errors in the rules of a structural schema. A rule is wrong if it does not compile, uses unsupported
 * features, reads old values that cannot be correlated, or may cost too much.
 *
 * @param skip paths of schemas that have other errors, at them or below
 */
export function ruleErrors(
  rules: Rules,
  schema: Schema,
  path: string,
  skip: readonly string[],
): FieldError[] {
  const declarations = new Declarations(rules, skip);
  declarations.visit(schema, { path, many: 1, uncorrelated: undefined });
  return [...declarations.errors, ...declarations.totalErrors(path)];
}

interface Place {
  readonly path: string;
  /** The maximum number of values of the schema in one object. */
  readonly many: number;
  /** The enclosing list whose elements cannot be correlated with their old values. */
  readonly uncorrelated: string | undefined;
}

class Declarations {
  readonly errors: FieldError[] = [];
  readonly #rules: Rules;
  readonly #skip: readonly string[];
  readonly #costs: { readonly path: string; readonly cost: number }[] = [];

  constructor(rules: Rules, skip: readonly string[]) {
    this.#rules = rules;
    this.#skip = skip;
  }

  visit(schema: Schema, place: Place): void {
    const { path, many, uncorrelated } = place;
    const bad = this.#skip.some(
      (each) => each === path || each.startsWith(`${path}.`) || each.startsWith(`${path}[`),
    );
    if (!bad) this.#own(schema, place);
    const items = itemsOf(schema);
    const additional = additionalOf(schema);
    const more = many * mostElements(schema);
    for (const [name, property] of propertiesOf(schema)) {
      this.visit(property, { ...place, path: key(child(path, 'properties'), name) });
    }
    if (additional !== undefined) {
      this.visit(additional, { ...place, path: child(path, 'additionalProperties'), many: more });
    }
    if (items !== undefined) {
      const found = schema['x-kubernetes-list-type'] === 'map';
      const lost = uncorrelated ?? (found ? undefined : path);
      this.visit(items, { path: child(path, 'items'), many: more, uncorrelated: lost });
    }
  }

  totalErrors(path: string): FieldError[] {
    const total = this.#costs.reduce((sum, { cost }) => sum + cost, 0);
    if (total <= MOST_COST) return [];
    const dearest = this.#costs
      .filter(({ cost }) => cost > MOST_RULE_COST)
      .toSorted((one, other) => other.cost - one.cost)
      .slice(0, MOST_TOLD);
    return [
      ...dearest.map((each) =>
        forbidden(
          each.path,
          'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
        ),
      ),
      forbidden(
        path,
        costDetail(
          'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
          total / MOST_COST,
        ),
      ),
    ];
  }

  #own(schema: Schema, place: Place): void {
    for (const [at, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
      const path = index(child(place.path, 'x-kubernetes-validations'), at);
      this.#rule(schema, rule, path, place);
      if (rule.messageExpression !== undefined && rule.messageExpression !== '') {
        this.#try(rule, child(path, 'messageExpression'), () => this.#rules.compileMessage(schema, rule));
      }
    }
  }

  #rule(schema: Schema, rule: ValidationRule, path: string, { many, uncorrelated }: Place): void {
    const at = child(path, 'rule');
    const compiled = this.#try(rule, at, () => this.#rules.compile(schema, rule));
    if (compiled === undefined) return;
    const cost = expressionCost(compiled.ast as CostNode, schema) * many;
    this.#costs.push({ path: at, cost });
    if (cost > MOST_RULE_COST) {
      this.errors.push(forbidden(at, costDetail('estimated rule cost', cost / MOST_RULE_COST)));
    }
    if (compiled.usesOldSelf && uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      this.errors.push(invalid(at, rule.rule ?? '', detail));
    }
    if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      this.errors.push(invalid(child(path, 'optionalOldSelf'), rule.optionalOldSelf, detail));
    }
  }

  #try<Compiled>(rule: ValidationRule, path: string, compile: () => Compiled): Compiled | undefined {
    try {
      return compile();
    } catch (error) {
      const { name, message } = error as Error;
      const detail = name === 'RuleError' ? `compilation failed: ${message}` : message;
      this.errors.push(invalidPrinted(path, goRule(rule), detail));
      return undefined;
    }
  }
}

/** @param times the cost divided by its limit */
function costDetail(what: string, times: number): string {
  const factor = times > 100 ? 'more than 100x' : `${times.toFixed(times < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** Formats a rule as Go prints it. */
function goRule({
  rule = '',
  message = '',
  messageExpression = '',
  reason,
  fieldPath = '',
  optionalOldSelf,
}: ValidationRule): string {
  const text = JSON.stringify;
  const pointer = (type: string, value: unknown) =>
    `(*${type})(${value === undefined ? 'nil' : '0xc000000000'})`;
  return `apiextensions.ValidationRule{Rule:${text(rule)}, Message:${text(message)}, MessageExpression:${text(messageExpression)}, Reason:${pointer('apiextensions.FieldValueErrorReason', reason)}, FieldPath:${text(fieldPath)}, OptionalOldSelf:${pointer('bool', optionalOldSelf)}}`;
}
