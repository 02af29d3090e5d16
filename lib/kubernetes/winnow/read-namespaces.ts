import type { JsonObject, JsonValue } from '../../json/index.ts';
import { type FieldError, fromLabelSelector, type Selector, SelectorError } from '../../selectors/index.ts';

/** The namespaces from which a Subscription selects. */
export interface NamespacesSpec {
  readonly allNamespaces: boolean;
  /** Selects namespaces by their current labels. If undefined, `allNamespaces` applies. */
  readonly namespaceSelector: Selector | undefined;
}

type Note = (errors: readonly FieldError[]) => void;

const FIELD = 'spec.namespaceSelector';
const BOTH = 'may not be set together with spec.namespaces: set spec.namespaces to null';
const CHOICES = ['Own', 'All'];

/** Reads `spec.namespaces` or `spec.namespaceSelector`. Errors are noted. `target` is the selected resource type. */
export function readNamespaces(
  spec: JsonObject,
  target: { readonly kind: string; readonly namespaced: boolean } | undefined,
  note: Note,
): NamespacesSpec {
  const { namespaces = null, namespaceSelector = null } = spec;
  if (namespaceSelector !== null) {
    if (namespaces !== null) note([forbidden(BOTH)]);
    if (target?.namespaced === false) note([forbidden(`${target.kind} has no namespaces`)]);
    return { allNamespaces: false, namespaceSelector: readSelector(namespaceSelector, note) };
  }
  const wanted = namespaces ?? 'Own';
  const isKnown = typeof wanted === 'string' && CHOICES.includes(wanted);
  if (!isKnown) {
    const detail = `supported values: ${CHOICES.map((choice) => JSON.stringify(choice)).join(', ')}`;
    note([{ type: 'NotSupported', field: 'spec.namespaces', value: wanted, detail }]);
  }
  if (target?.namespaced === false && wanted !== 'All') {
    const detail = `${target.kind} has no namespaces: use All`;
    note([{ type: 'Invalid', field: 'spec.namespaces', value: 'Own', detail }]);
  }
  return { allNamespaces: wanted === 'All', namespaceSelector: undefined };
}

function readSelector(value: JsonValue, note: Note): Selector | undefined {
  try {
    return fromLabelSelector(value, FIELD);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    note(error.errors);
    return undefined;
  }
}

const forbidden = (detail: string): FieldError => ({ type: 'Forbidden', field: FIELD, detail });
