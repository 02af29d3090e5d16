import { everyField, type Interest, parseFieldSelector, parseSelector } from '../../selectors/index.ts';
import type { Filter } from '../transition.ts';
import type { SubscriptionSpec, TargetResource } from './subscription.ts';

/** What the object at `generation` asks for. */
export interface SelectionGiven {
  readonly spec: SubscriptionSpec;
  /** The subscription's own. */
  readonly namespace: string;
  readonly generation: number;
  /** Those that its namespaceSelector selects. */
  readonly namespaces?: readonly string[];
}

/** The selecting half of a state row. */
export function selection({ spec, namespace, generation, namespaces = [] }: SelectionGiven) {
  const { target, allNamespaces, namespaceSelector, selector, fieldSelector, payload, fifo } = spec;
  return {
    generation,
    selector: selector.toString(),
    fieldSelector: fieldSelector.toString(),
    allNamespaces,
    namespace,
    /** What a namespaceSelector selects, as JSON; '': there is none. */
    namespaces: namespaceSelector === undefined ? '' : JSON.stringify(namespaces),
    payload,
    fifo,
    apiVersion: target.apiVersion,
    kind: target.kind,
  };
}

export type Selection = Readonly<ReturnType<typeof selection>>;

/** What a subscriber is sent, and how: an edit changes some of it. */
export type Chosen = Pick<
  Selection,
  'selector' | 'fieldSelector' | 'allNamespaces' | 'namespace' | 'namespaces' | 'payload'
>;

/** As text, to be compared and to be stored. */
export function chosen(given: Chosen): string {
  const { selector, fieldSelector, allNamespaces, namespace, namespaces, payload } = given;
  return JSON.stringify({ selector, fieldSelector, allNamespaces, namespace, namespaces, payload });
}

/** The namespaces whose objects are selected, in the order of their objects; undefined: all. */
export function namespacesOf({
  allNamespaces,
  namespace,
  namespaces,
}: Pick<Chosen, 'allNamespaces' | 'namespace' | 'namespaces'>): readonly string[] | undefined {
  if (namespaces !== '') return JSON.parse(namespaces);
  return allNamespaces ? undefined : [namespace];
}

/** What the selecting half of a state row asks for. */
export function interestOf(selected: Omit<Chosen, 'payload'>): Interest {
  const namespaces = namespacesOf(selected);
  return {
    ...(namespaces === undefined ? {} : { namespaces }),
    selector: parseSelector(selected.selector),
    fields: parseFieldSelector(selected.fieldSelector),
  };
}

/** The same, to be asked of one object after another. */
export function filterOf(selected: Omit<Chosen, 'payload'>, target: TargetResource): Filter {
  const { fields = everyField, selector, namespaces } = interestOf(selected);
  const where = namespaces === undefined ? {} : { namespaces: new Set(namespaces) };
  if (fields.isEmpty) return { ...where, selector };
  const matches: Filter['matches'] = ({ body }) => fields.matches((field) => target.readField(body, field));
  return { ...where, selector, matches };
}
