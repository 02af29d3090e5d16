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

/** The request of the object at `generation`. */
export interface SelectionGiven {
  readonly spec: SubscriptionSpec;
  /** The subscription's own namespace. */
  readonly namespace: string;
  readonly generation: number;
  /** The namespaces that its namespaceSelector selects. */
  readonly namespaces?: readonly string[];
  /** The author's scope: the only objects that it may deliver, in the form of {@link printScope}; default: all. */
  readonly scope?: string;
}

/** The selection part of a state row. */
export function selection({ spec, namespace, generation, namespaces = [], scope = '' }: SelectionGiven) {
  const { target, allNamespaces, namespaceSelector, selector, fieldSelector, payload, fifo } = spec;
  return {
    generation,
    selector: selector.toString(),
    fieldSelector: fieldSelector.toString(),
    allNamespaces,
    namespace,
    /** The namespaces that a namespaceSelector selects, as JSON; '': there is no namespaceSelector. */
    namespaces: namespaceSelector === undefined ? '' : JSON.stringify(namespaces),
    /** The author's scope: the only objects that it may deliver. Never a value from a client. '': all. */
    scope,
    payload,
    fifo,
    apiVersion: target.apiVersion,
    kind: target.kind,
  };
}

export type Selection = Readonly<ReturnType<typeof selection>>;

/** The selection of a subscription, and the form of delivery. An edit changes parts of it. */
export type DeliverySpec = Pick<
  Selection,
  'selector' | 'fieldSelector' | 'allNamespaces' | 'namespace' | 'namespaces' | 'scope' | 'payload'
>;

/** The delivery spec as text, for comparison and storage. */
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
 * A scope as a state row holds it: the texts of selectors, of which one has to match. A scope without selectors
 * contains no objects. A scope never includes a selector without restrictions.
 */
export function printScope(selectors: readonly Selector[]): string {
  return JSON.stringify(selectors.map(String));
}

/** The selection within the scope. A scope with several selectors gives a union, which can only match objects. */
export function selectorOf({ selector, scope }: Pick<DeliverySpec, 'selector' | 'scope'>): Selector {
  const asked = parseSelector(selector);
  if (scope === '') return asked;
  const texts: readonly string[] = JSON.parse(scope);
  // A comma means that both must match.
  return anyOf(
    texts
      .filter(Boolean)
      .map((text) => (asked.isEmpty ? parseSelector(text) : parseSelector(`${asked},${text}`))),
  );
}

/**
 * The index entry for the selection part of a state row. If its scope has several selectors, the entry matches too
 * much. Then its matches must also match {@link selectorOf}.
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

/** Whether a selector is a union, which an index of single selectors cannot hold. */
export function isUnion(selector: Selector): boolean {
  return choicesOf(selector).length > 1;
}

/** A filter for single objects, from the selection in a state row. */
export function filterOf(selected: Omit<DeliverySpec, 'payload'>, target: TargetResource): Filter {
  const fields = parseFieldSelector(selected.fieldSelector);
  const namespaces = namespacesOf(selected);
  const selector = selectorOf(selected);
  const where = namespaces === undefined ? {} : { namespaces: new Set(namespaces) };
  if (fields.isEmpty) return { ...where, selector };
  const matches: Filter['matches'] = ({ body }) => fields.matches((field) => target.readField(body, field));
  return { ...where, selector, matches };
}
