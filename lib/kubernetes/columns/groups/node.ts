import { AGE, field, NAME } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** node.k8s.io/v1 */
export const node: ColumnsByKind = {
  RuntimeClass: [NAME, field('Handler', 'handler', 'The name of the handler on the node.', ''), AGE],
};
