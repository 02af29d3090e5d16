import { type JsonObject, objectAt } from '../../json/index.ts';
import { fromLabelSelector, type Selector } from '../../selectors/index.ts';
import type { ObjectState } from '../../store/index.ts';

/** The most namespaces. A subscription's row has room for the names twice, beside the selectors. */
const MOST = 500;

/** The namespaces that a namespaceSelector selects, in the order of their objects; or the human-readable failure. */
export interface SelectedNamespaces {
  readonly namespaces: readonly string[];
  readonly failure: string;
}

/** Applies a selector to `all` namespaces. */
export function selectNamespaces(selector: Selector, all: readonly ObjectState[]): SelectedNamespaces {
  const selected = all.filter(({ labels }) => selector.matches(labels)).map(({ name }) => name.name);
  if (selected.length > MOST) {
    const failure = `spec.namespaceSelector selects ${selected.length} namespaces; the limit is ${MOST}`;
    return { namespaces: [], failure };
  }
  // Sorted with the slash that follows a namespace in an object's key.
  const ordered = selected.map((name) => `${name}/`).sort();
  return { namespaces: ordered.map((name) => name.slice(0, -1)), failure: '' };
}

/** The namespaceSelector of a stored Subscription or Tally; undefined: it has none. */
export function namespaceSelectorOf(body: JsonObject): Selector | undefined {
  const { namespaceSelector = null } = objectAt(body.spec);
  return namespaceSelector === null ? undefined : fromLabelSelector(namespaceSelector);
}
