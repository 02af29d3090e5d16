import {
  implies,
  type Labels,
  type Operator,
  parseSelector,
  type Selector,
  simplify,
} from '../../selectors/index.ts';

/** No label selector can hold it. */
const OR = ' || ';

/**
 * The objects that a user reaches by grants only: those whose labels match one of the selectors, at least one. Other
 * objects do not exist for the user. None of the selectors is part of another one, and they are in the order of their
 * texts, so two scopes of the same text are the same; one without selectors has no objects.
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

  /** The union. What nothing can match adds nothing, nor does what restricts nothing: to have all is no scope. */
  static of(selectors: Iterable<Selector>): Scope {
    const simple = joined([...selectors].map((selector) => simplify(selector).selector).filter(restricts));
    const byText = new Map(simple.map((selector) => [`${selector}`, selector]));
    const different = [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
    const isPart = (one: Selector) => different.some((other) => other !== one && implies(one, other));
    return new Scope(different.filter((one) => !isPart(one)));
  }

  /**
   * The scope of a text that {@link toString} has made.
   *
   * @throws SelectorError the text is none
   */
  static parse(text: string): Scope {
    return Scope.of(text === '' ? [] : text.split(OR).map((one) => parseSelector(one)));
  }

  matches(labels: Labels): boolean {
    return this.selectors.some((selector) => selector.matches(labels));
  }

  /** Whether each selector of this one is part of a selector of the other: then all of its objects are in the other. */
  isWithin(other: Scope): boolean {
    return this.selectors.every((own) => other.selectors.some((one) => implies(own, one)));
  }

  /** Canonical; {@link Scope.parse} reads it back. `''` where there are no objects. */
  toString(): string {
    return this.#text;
  }
}

/** What asks for values of one label alone is asked at once: `team=a` and `team=b` are `team in (a,b)`. */
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

/** Neither everything nor nothing has requirements. */
function restricts({ requirements }: Selector): boolean {
  return requirements.length > 0;
}
