import type { SubscriptionSpec, TargetResource } from '../../kubernetes/winnow/index.ts';
import {
  anyOf,
  choicesOf,
  type Interest,
  parseFieldSelector,
  parseSelector,
  type Selector,
} from '../../selectors/index.ts';
import type { Filter } from '../../store/index.ts';

/** What the object at `generation` asks for. */
export interface SelectionGiven {
  readonly spec: SubscriptionSpec;
  /** The subscription's own. */
  readonly namespace: string;
  readonly generation: number;
  /** Those that its namespaceSelector selects. */
  readonly namespaces?: readonly string[];
  /** Of which objects it may tell at all, as {@link printScope} spells them; none is said: of all. */
  readonly scope?: string;
}

/** The selecting half of a state row. */
export function selection({ spec, namespace, generation, namespaces = [], scope = '' }: SelectionGiven) {
  const { target, allNamespaces, namespaceSelector, selector, fieldSelector, payload, fifo } = spec;
  return {
    generation,
    selector: selector.toString(),
    fieldSelector: fieldSelector.toString(),
    allNamespaces,
    namespace,
    /** What a namespaceSelector selects, as JSON; '': there is none. */
    namespaces: namespaceSelector === undefined ? '' : JSON.stringify(namespaces),
    /** Of which objects it may tell at all, whatever it selects: never what a client wrote. '': of all. */
    scope,
    payload,
    fifo,
    apiVersion: target.apiVersion,
    kind: target.kind,
  };
}

export type Selection = Readonly<ReturnType<typeof selection>>;

/** What a subscriber is sent, and how: an edit changes some of it. */
export type DeliverySpec = Pick<
  Selection,
  'selector' | 'fieldSelector' | 'allNamespaces' | 'namespace' | 'namespaces' | 'scope' | 'payload'
>;

/** As text, to be compared and to be stored. */
export function chosen(given: DeliverySpec): string {
  const { selector, fieldSelector, allNamespaces, namespace, namespaces, scope, payload } = given;
  return JSON.stringify({ selector, fieldSelector, allNamespaces, namespace, namespaces, scope, payload });
}

/** The namespaces whose objects are selected, in the order of their objects; undefined: all. */
export function namespacesOf({
  allNamespaces,
  namespace,
  namespaces,
}: Pick<DeliverySpec, 'allNamespaces' | 'namespace' | 'namespaces'>): readonly string[] | undefined {
  if (namespaces !== '') return JSON.parse(namespaces);
  return allNamespaces ? undefined : [namespace];
}

/**
 * A scope as a state row holds it: the texts of selectors, of which one has to match. Without any it has no objects; a
 * selector that restricts nothing is in none.
 */
export function printScope(selectors: readonly Selector[]): string {
  return JSON.stringify(selectors.map(String));
}

/** What is selected within the scope. Several selectors of a scope make a union, which is for matching only. */
export function selectorOf({ selector, scope }: Pick<DeliverySpec, 'selector' | 'scope'>): Selector {
  const asked = parseSelector(selector);
  if (scope === '') return asked;
  const texts: readonly string[] = JSON.parse(scope);
  // A comma says that both have to match.
  return anyOf(
    texts
      .filter(Boolean)
      .map((text) => (asked.isEmpty ? parseSelector(text) : parseSelector(`${asked},${text}`))),
  );
}

/**
 * What the selecting half of a state row asks for; where its scope has several selectors, more than that, so what is
 * found by it has to match {@link selectorOf} as well.
 */
export function interestOf(selected: Omit<DeliverySpec, 'payload'>): Interest {
  const namespaces = namespacesOf(selected);
  const selector = selectorOf(selected);
  return {
    ...(namespaces === undefined ? {} : { namespaces }),
    selector: isUnion(selector) ? parseSelector(selected.selector) : selector,
    fields: parseFieldSelector(selected.fieldSelector),
  };
}

/** Whether no index of single selectors holds it. */
export function isUnion(selector: Selector): boolean {
  return choicesOf(selector).length > 1;
}

/** What a state row asks for, to be asked of one object after another. */
export function filterOf(selected: Omit<DeliverySpec, 'payload'>, target: TargetResource): Filter {
  const fields = parseFieldSelector(selected.fieldSelector);
  const namespaces = namespacesOf(selected);
  const selector = selectorOf(selected);
  const where = namespaces === undefined ? {} : { namespaces: new Set(namespaces) };
  if (fields.isEmpty) return { ...where, selector };
  const matches: Filter['matches'] = ({ body }) => fields.matches((field) => target.readField(body, field));
  return { ...where, selector, matches };
}
