import { collectionOf, isJsonObject, type JsonValue, valueAt } from '../../json/index.ts';
import { everyField, everything, parseFieldSelector, SelectorError } from '../../selectors/index.ts';
import { isNothing, readSelector } from './read-selector.ts';
import type { Selection } from './selection.ts';

/**
 * Returns what a Subscription follows or a Tally counts. Without a selector, it is everything that its other fields
 * allow.
 */
export function subscriptionSelections(body: JsonValue, namespace: string): readonly Selection[] {
  const { group = '', resource = '' } = objectAt(body, 'spec.resource');
  const written = valueAt(body, 'spec.selector') ?? null;
  const text = valueAt(body, 'spec.labelSelector') ?? '';
  const selector = written === null ? readSelector(text, 'text') : readSelector(written, 'labelSelector');
  const fields = readFields(valueAt(body, 'spec.fieldSelector') ?? '');
  const spaces = valueAt(body, 'spec.namespaceSelector') ?? null;
  const namespaceSelector = spaces === null ? everything : readSelector(spaces, 'labelSelector');
  if (fields === undefined || isNothing(selector) || isNothing(namespaceSelector)) return [];
  const isOwn = spaces === null && valueAt(body, 'spec.namespaces') !== 'All';
  return [
    {
      path: written === null && text !== '' ? 'spec.labelSelector' : 'spec.selector',
      target: collectionOf(String(group ?? ''), String(resource)),
      ...(isOwn ? { namespaces: [namespace] } : {}),
      selector,
      fields,
      ...(spaces === null ? {} : { namespaceSelector }),
    },
  ];
}

function objectAt(value: JsonValue, path: string) {
  const found = valueAt(value, path);
  return isJsonObject(found) ? found : {};
}

function readFields(text: JsonValue) {
  if (text === '') return everyField;
  try {
    return typeof text === 'string' ? parseFieldSelector(text) : undefined;
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
