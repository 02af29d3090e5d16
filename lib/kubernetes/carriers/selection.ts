import type { Collection } from '../../json/index.ts';
import type { FieldSelector, Labels, Selector } from '../../selectors/index.ts';

/** A query for objects of another type, by a selector in the body of the carrier. */
export interface Selection {
  /** The field of the selector in the carrier: `spec.selector`, `spec.ingress[0].from[1]`. Unique in one carrier. */
  readonly path: string;
  /** The collection of the selected objects. */
  readonly target: Collection;
  /** The namespaces of the selected objects. Undefined means all namespaces, or a target without namespaces. */
  readonly namespaces?: readonly string[];
  readonly selector: Selector;
  readonly fields: FieldSelector;
  /** The selector that the labels of the object's namespace must match. */
  readonly namespaceSelector?: Selector;
}

/** The attributes of an object that selections match. */
export interface SelectableObject {
  /** `''` in cluster scope. */
  readonly namespace: string;
  readonly labels: Labels;
  /** Reads a field of the object. Absent if only labels are considered: then fields restrict nothing. */
  readonly readField?: (field: string) => string | undefined;
  /** The labels of the object's namespace. If absent, no namespace selector matches. */
  readonly namespaceLabels?: Labels;
}

/** Whether the selection matches the object, which is in the selection's target collection. */
export function isSelected(selection: Selection, subject: SelectableObject): boolean {
  const { namespaces, selector, fields, namespaceSelector } = selection;
  const { namespace, labels, readField, namespaceLabels } = subject;
  if (namespaces !== undefined && !namespaces.includes(namespace)) return false;
  if (!selector.matches(labels)) return false;
  if (readField !== undefined && !fields.matches(readField)) return false;
  return (
    namespaceSelector === undefined ||
    (namespaceLabels !== undefined && namespaceSelector.matches(namespaceLabels))
  );
}
