import type { JsonValue } from '../../json/index.ts';
import {
  fromLabelSelector,
  fromLabels,
  nothing,
  parseSelector,
  type Selector,
  SelectorError,
} from '../../selectors/index.ts';

/** The form of a selector: a LabelSelector, a map of labels, or the text that `kubectl -l` takes. */
export type SelectorForm = 'labelSelector' | 'map' | 'text';

/**
 * Parses a selector of the given form as Kubernetes does. An absent LabelSelector matches nothing. An empty
 * LabelSelector, map or text matches everything. A selector that cannot be parsed matches nothing.
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

/** Whether a selector is known to match nothing. It may return false for other selectors that cannot match. */
export function isNothing({ isEmpty, requirements }: Selector): boolean {
  return !isEmpty && requirements.length === 0;
}
