import type { FieldError } from '../../../selectors/index.ts';
import { child, forbidden, index, invalid, invalidPrinted, key } from '../../field-errors/index.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from '../schema.ts';
import { CompilationError, type Compiled, type Definitions, type Expression, type Rules } from './rules.ts';
import { MOST_BYTES, sizesOf } from './shapes.ts';

/**
 * The maximum cost of one rule for all values of its schema (pkg/apis/apiextensions/validation,
 * StaticEstimatedCostLimit).
 */
const MOST_RULE_COST = 10_000_000;
/** The maximum cost of all rules of a definition. */
const MOST_COST = 100_000_000;
/** The maximum number of reported expressions, the most expensive first, and the cost from which they are reported. */
const MOST_TOLD = 4;
const TOLD = MOST_COST / 100;
/** Costs end at this number. */
const MOST = 2 ** 64;

/** What a definition keeps of the stored one that it replaces. */
export interface KeptRules {
  /** Whether the schema is unchanged: upstream then accepts rules that may cost too much, if their total does not. */
  readonly isUnchanged: boolean;
  /** The stored expressions, for any schema of the definition. */
  readonly rules: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
}

/**
 * Returns the errors in the rules of a structural schema. A rule is wrong if it does not compile, uses unsupported
 * features, reads old values that cannot be correlated, or may cost too much.
 *
 * @param skip paths of schemas that have other errors, at them or below
 */
export async function ruleErrors(
  rules: Rules,
  schema: Schema,
  { path, skip, kept }: Pick<Place, 'path'> & Pick<Surroundings, 'skip' | 'kept'>,
): Promise<FieldError[]> {
  rules.refill();
  const definitions = await import('../../../cel/definitions.ts');
  const declarations = new Declarations(rules, { definitions, skip, kept });
  declarations.visit(schema, { path, many: 1, uncorrelated: undefined });
  return [...declarations.errors, ...declarations.totalErrors(path)];
}

interface Surroundings {
  readonly definitions: Definitions;
  readonly skip: readonly string[];
  readonly kept: KeptRules | undefined;
}

interface Place {
  readonly path: string;
  /** The maximum number of values of the schema in one object; undefined if a list or map around it has no limit. */
  readonly many: number | undefined;
  /** The enclosing list whose elements cannot be correlated with their old values. */
  readonly uncorrelated: string | undefined;
}

class Declarations {
  readonly errors: FieldError[] = [];
  readonly #rules: Rules;
  readonly #definitions: Definitions;
  readonly #skip: readonly string[];
  readonly #kept: KeptRules | undefined;
  readonly #costs: { readonly path: string; readonly cost: number }[] = [];

  constructor(rules: Rules, { definitions, skip, kept }: Surroundings) {
    this.#rules = rules;
    this.#definitions = definitions;
    this.#skip = skip;
    this.#kept = kept;
  }

  visit(schema: Schema, place: Place): void {
    const { path, many, uncorrelated } = place;
    const bad = this.#skip.some(
      (each) => each === path || each.startsWith(`${path}.`) || each.startsWith(`${path}[`),
    );
    if (!bad) this.#own(schema, place);
    const items = itemsOf(schema);
    const additional = additionalOf(schema);
    const most = mostElements(schema);
    const more = many === undefined || most === undefined ? undefined : many * most;
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
    const total = Math.min(
      MOST,
      this.#costs.reduce((sum, { cost }) => sum + cost, 0),
    );
    if (total <= MOST_COST) return [];
    const dearest = this.#costs
      .filter(({ cost }) => cost >= TOLD)
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
    const rules = schema['x-kubernetes-validations'] ?? [];
    const at = child(place.path, 'x-kubernetes-validations');
    if (rules.length > 0 && this.#rules.shapeOf(schema)?.type === undefined) {
      this.errors.push(
        invalid(at, null, 'rules cannot see values of this schema: declare the type of their parts'),
      );
      return;
    }
    for (const [number, rule] of rules.entries()) {
      const path = index(at, number);
      const compiled = this.#rule(schema, rule, path, place.many);
      if (compiled !== undefined) this.#message(schema, rule, child(path, 'messageExpression'));
      this.#oldSelf(rule, path, compiled?.usesOldSelf === true, place);
    }
  }

  #rule(schema: Schema, rule: ValidationRule, path: string, many: number | undefined): Compiled | undefined {
    const at = child(path, 'rule');
    const compiled = this.#compiled({ schema, rule, purpose: 'rule' }, at);
    if (compiled === undefined) return undefined;
    const minBytes = this.#rules.shapeOf(schema)?.minBytes ?? 0;
    const times = many ?? Math.floor(MOST_BYTES / (minBytes + 1));
    this.#charge(at, Math.min(MOST, this.#cost(compiled, schema) * times), 'estimated rule cost');
    return compiled;
  }

  #message(schema: Schema, rule: ValidationRule, path: string): void {
    if ((rule.messageExpression ?? '') === '') return;
    const compiled = this.#compiled({ schema, rule, purpose: 'message' }, path);
    if (compiled === undefined) return;
    this.#charge(path, this.#cost(compiled, schema), 'estimated messageExpression cost');
  }

  #cost({ checked }: Compiled, schema: Schema): number {
    const shape = this.#rules.shapeOf(schema);
    return Number(
      this.#definitions.estimate(checked, shape === undefined ? () => undefined : sizesOf(shape)).max,
    );
  }

  /** Adds the cost of an expression to the total. */
  #charge(path: string, cost: number, what: string): void {
    this.#costs.push({ path, cost });
    if (this.#kept?.isUnchanged === true) return;
    if (cost > MOST_RULE_COST) this.errors.push(forbidden(path, costDetail(what, cost / MOST_RULE_COST)));
  }

  #oldSelf(rule: ValidationRule, path: string, isUsed: boolean, { uncorrelated }: Place): void {
    if (isUsed && uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      this.errors.push(invalid(child(path, 'rule'), rule.rule ?? '', detail));
    }
    if (!isUsed && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      this.errors.push(invalid(child(path, 'optionalOldSelf'), rule.optionalOldSelf, detail));
    }
  }

  #isKept({ rule: { rule = '', messageExpression = '' }, purpose }: Expression): boolean {
    if (purpose === 'rule') return this.#kept?.rules.has(rule) === true;
    return this.#kept?.messages.has(messageExpression) === true;
  }

  #compiled(expression: Expression, path: string): Compiled | undefined {
    try {
      return this.#rules.compileNew(expression, this.#definitions, this.#isKept(expression));
    } catch (error) {
      if (!(error instanceof CompilationError)) throw error;
      this.errors.push(invalidPrinted(path, goRule(expression.rule), error.message));
      return undefined;
    }
  }
}

/**
 * Returns by how much a list or a map multiplies the values below it; undefined if it declares no limit, 1 for other
 * schemas.
 */
function mostElements({ type, additionalProperties, maxProperties, maxItems }: Schema): number | undefined {
  const isMap = type === 'object' && additionalProperties !== undefined;
  if (!isMap && type !== 'array') return 1;
  const most = isMap ? maxProperties : maxItems;
  return most === undefined ? undefined : Math.max(0, most);
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
