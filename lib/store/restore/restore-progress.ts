import { restoreKey } from '../keys.ts';
import type { Key, Row, Table } from '../table.ts';
import type { TableScan } from './scan-table.ts';

/** The progress of a restore: a row of the table itself, so a later run needs nothing else. */
export interface RestoreProgress {
  /** The id of the restore. */
  readonly id: string;
  readonly survey: TableScan;
  /** The amount by which the restore raises resourceVersions and similar numbers. */
  readonly raise: number;
  /** When it began, in ms since the epoch. */
  readonly began: number;
  /** The next step, and the key after which it continues, if the step has one. */
  readonly step: 'marks' | 'journal' | 'rows' | 'subscriptions' | 'settings' | 'done';
  readonly after?: Key | undefined;
  /** The number of faults found so far, by kind. */
  readonly found: Readonly<Record<string, number>>;
}

/** The progress of the table's restore; undefined if none was begun. */
export async function readRestoreProgress(table: Table): Promise<RestoreProgress | undefined> {
  return progressIn(await table.get(restoreKey));
}

/** The progress in a restore's row. */
export function progressIn(row: Row | undefined): RestoreProgress | undefined {
  return row?.progress === undefined ? undefined : JSON.parse(String(row.progress));
}
