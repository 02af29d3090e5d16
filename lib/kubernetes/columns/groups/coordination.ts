import { AGE, field, NAME } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** coordination.k8s.io/v1 */
export const coordination: ColumnsByKind = {
  Lease: [NAME, field('Holder', 'spec.holderIdentity', 'The holder of the Lease.', ''), AGE],
};
