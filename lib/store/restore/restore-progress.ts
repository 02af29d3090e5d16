import { restoreKey } from '../keys.ts';
import type { Key, Row, Table } from '../table.ts';
import type { TableScan } from './scan-table.ts';

/** The progress of a restore: a row of the table itself, so a later run needs nothing else. */
export interface RestoreProgress {
  /** Names the restore. */
  readonly id: string;
  readonly survey: TableScan;
  /** By how much resourceVersions and the like are raised. */
  readonly raise: number;
  /** When it began, in ms since the epoch. */
  readonly began: number;
  /** What is done next, and from where on, where it has a place. */
  readonly step: 'marks' | 'journal' | 'rows' | 'subscriptions' | 'settings' | 'done';
  readonly after?: Key | undefined;
  /** What was found so far. */
  readonly found: Readonly<Record<string, number>>;
}

/** Undefined where none was begun. */
export async function readRestoreProgress(table: Table): Promise<RestoreProgress | undefined> {
  return progressIn(await table.get(restoreKey));
}

/** What a restore's row says of it. */
export function progressIn(row: Row | undefined): RestoreProgress | undefined {
  return row?.progress === undefined ? undefined : JSON.parse(String(row.progress));
}
