import type { Column } from '../resource-types/index.ts';

/** Every column of a kind's Table in kubectl's order, of the kinds of a group that show more than Name and Age. */
export type ColumnsByKind = Readonly<Record<string, readonly Column[]>>;
