import { type JsonObject, objectAt } from '../../json/index.ts';
import { fromLabelSelector, type Selector } from '../../selectors/index.ts';
import type { ObjectState } from '../../store/index.ts';

/** As many names as a subscription's row has room for, twice, beside what selects. */
const MOST = 500;

/** What a namespaceSelector selects, in the order of their objects; or why it is not followed, for people. */
export interface SelectedNamespaces {
  readonly namespaces: readonly string[];
  readonly failure: string;
}

/** `all`: the namespaces that there are. */
export function selectNamespaces(selector: Selector, all: readonly ObjectState[]): SelectedNamespaces {
  const selected = all.filter(({ labels }) => selector.matches(labels)).map(({ name }) => name.name);
  if (selected.length > MOST) {
    const failure = `spec.namespaceSelector selects ${selected.length} namespaces; ${MOST} are followed at most`;
    return { namespaces: [], failure };
  }
  // An object stands by its namespace and a slash.
  const ordered = selected.map((name) => `${name}/`).sort();
  return { namespaces: ordered.map((name) => name.slice(0, -1)), failure: '' };
}

/** That of a Subscription or a Tally as it is stored; undefined: it has none. */
export function namespaceSelectorOf(body: JsonObject): Selector | undefined {
  const { namespaceSelector = null } = objectAt(body.spec);
  return namespaceSelector === null ? undefined : fromLabelSelector(namespaceSelector);
}
