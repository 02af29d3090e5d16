import type { FieldError } from '../../selectors/index.ts';
import type { SubscriptionSpec } from './subscription-spec.ts';

/** Why what is sent cannot be counted: there is no one order of it, or nobody knows the set that it begins with. */
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
