import { CREATED_AT, NAME } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** apiextensions.k8s.io/v1 */
export const apiextensions: ColumnsByKind = {
  CustomResourceDefinition: [NAME, CREATED_AT],
};
