import type { Column } from '../resource-types/index.ts';

/**
 * The columns of kinds whose Tables show more than Name and Age, in kubectl's order. Holds the kinds of one group.
 */
export type ColumnsByKind = Readonly<Record<string, readonly Column[]>>;
