import type { Collection } from '../../json/index.ts';
import type { FieldSelector, Labels, Selector } from '../../selectors/index.ts';

/** One question that an object, its carrier, asks of all objects of another type: by a selector in its own body. */
export interface Selection {
  /** Where the selector stands in the carrier: `spec.selector`, `spec.ingress[0].from[1]`. None twice in one carrier. */
  readonly path: string;
  /** What is selected among. */
  readonly target: Collection;
  /** Objects of which namespaces; undefined: of all, and of none where the target has no namespaces. */
  readonly namespaces?: readonly string[];
  readonly selector: Selector;
  readonly fields: FieldSelector;
  /** What the labels of an object's namespace must be. */
  readonly namespaceSelector?: Selector;
}

/** What selections look at of an object. */
export interface SelectableObject {
  /** `''` in cluster scope. */
  readonly namespace: string;
  readonly labels: Labels;
  /** Absent while only labels are considered: then fields restrict nothing. */
  readonly readField?: (field: string) => string | undefined;
  /** Of its namespace; absent: no selector of namespaces matches. */
  readonly namespaceLabels?: Labels;
}

/** Whether the object, which is of the selection's target, is selected. */
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
