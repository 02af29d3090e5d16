import type { FieldError } from '../../selectors/index.ts';
import type { SubscriptionSpec } from './subscription-spec.ts';

/**
 * Returns an error for each reason why delivery cannot be verified: the messages have no total order, or the initial
 * set is unknown.
 */
export function whyUnverifiable({
  fifo,
  byObject,
  start,
}: Pick<SubscriptionSpec, 'fifo' | 'byObject' | 'start'>): FieldError[] {
  const why = [
    fifo ? '' : 'needs a FIFO queue',
    byObject ? 'needs spec.ordering Total' : '',
    start === 'now' ? 'needs spec.start snapshot or a resourceVersion' : '',
  ];
  return why.flatMap((detail) =>
    detail === '' ? [] : [{ type: 'Forbidden', field: 'spec.verify', detail } as const],
  );
}
