import type { JsonValue } from '../../json/index.ts';
import {
  fromLabelSelector,
  fromLabels,
  nothing,
  parseSelector,
  type Selector,
  SelectorError,
} from '../../selectors/index.ts';

/** How a selector is written: a LabelSelector, a plain map of labels, or the text that `kubectl -l` takes. */
export type SelectorForm = 'labelSelector' | 'map' | 'text';

/**
 * The selector that a value stands for, as Kubernetes reads one of its form: an absent LabelSelector matches nothing,
 * an empty one everything, and so do an empty map and an empty text. What nobody can read matches nothing.
 */
export function readSelector(value: JsonValue | undefined, form: SelectorForm): Selector {
  if (value === undefined || value === null) return nothing;
  try {
    switch (form) {
      case 'labelSelector':
        return fromLabelSelector(value);
      case 'map':
        return fromLabels(value);
      case 'text':
        return typeof value === 'string' ? parseSelector(value) : nothing;
      default:
        return form satisfies never;
    }
  } catch (error) {
    if (error instanceof SelectorError) return nothing;
    throw error;
  }
}

/** Whether a selector can match at all, as far as it says so itself. */
export function isNothing({ isEmpty, requirements }: Selector): boolean {
  return !isEmpty && requirements.length === 0;
}
