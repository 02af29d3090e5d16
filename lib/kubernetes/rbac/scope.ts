import {
  implies,
  type Labels,
  type Operator,
  parseSelector,
  type Selector,
  simplify,
} from '../../selectors/index.ts';

/** The separator of selectors. No label selector can contain it. */
const OR = ' || ';

/**
 * The objects that a user can reach by grants only: those whose labels match at least one of the selectors. Other
 * objects do not exist for the user. No selector implies another one, and the selectors are sorted by their texts. So
 * two scopes with the same text are equal. A scope without selectors contains no objects.
 *
 * @example `environment in (dev,test),team=c || team in (a,b)`
 */
export class Scope {
  readonly selectors: readonly Selector[];
  readonly #text: string;

  private constructor(selectors: readonly Selector[]) {
    this.selectors = selectors;
    this.#text = selectors.join(OR);
  }

  /**
   * Returns the union. A selector that matches nothing adds nothing. A selector without restrictions adds nothing
   * either, because access to all objects is not a scope.
   */
  static of(selectors: Iterable<Selector>): Scope {
    const simple = joined([...selectors].map((selector) => simplify(selector).selector).filter(restricts));
    const byText = new Map(simple.map((selector) => [`${selector}`, selector]));
    const different = [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
    const isPart = (one: Selector) => different.some((other) => other !== one && implies(one, other));
    return new Scope(different.filter((one) => !isPart(one)));
  }

  /**
   * Parses a text that {@link toString} returned.
   *
   * @throws SelectorError the text is not a scope
   */
  static parse(text: string): Scope {
    return Scope.of(text === '' ? [] : text.split(OR).map((one) => parseSelector(one)));
  }

  matches(labels: Labels): boolean {
    return this.selectors.some((selector) => selector.matches(labels));
  }

  /**
   * Whether each selector of this scope implies a selector of the other. Then the other scope contains all objects of
   * this one.
   */
  isWithin(other: Scope): boolean {
    return this.selectors.every((own) => other.selectors.some((one) => implies(own, one)));
  }

  /** Returns the canonical text, which {@link Scope.parse} reads back. `''` if the scope has no objects. */
  toString(): string {
    return this.#text;
  }
}

/** Merges selectors that only list values of one label: `team=a` and `team=b` become `team in (a,b)`. */
function joined(selectors: readonly Selector[]): Selector[] {
  const values = new Map<string, Set<string>>();
  const others: Selector[] = [];
  for (const selector of selectors) {
    const [only, ...more] = selector.requirements;
    const isListed = only !== undefined && more.length === 0 && LISTS.has(only.operator);
    if (isListed) {
      values.set(only.key, new Set([...(values.get(only.key) ?? []), ...only.values]));
    } else {
      others.push(selector);
    }
  }
  const texts = [...values].map(([key, listed]) => `${key} in (${[...listed].join(',')})`);
  return [...others, ...texts.map((text) => simplify(parseSelector(text)).selector)];
}

const LISTS: ReadonlySet<Operator> = new Set(['=', '==', 'in']);

/** Whether a selector restricts labels. The selectors of everything and of nothing have no requirements. */
function restricts({ requirements }: Selector): boolean {
  return requirements.length > 0;
}
