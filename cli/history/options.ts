import type { AccessOptions } from '../connection/index.ts';

interface HistoryOptions extends AccessOptions {
  readonly namespace: string;
  readonly output: 'text' | 'json';
}

export interface LogOptions extends HistoryOptions {
  readonly allNamespaces?: true;
  readonly selector?: string;
  /** A time of RFC 3339, or a duration back from now. */
  readonly since?: string;
  readonly all?: true;
  readonly patch?: true;
  readonly follow?: true;
}

export interface DiffOptions extends HistoryOptions {
  readonly allNamespaces?: true;
  readonly selector?: string;
  /** A resourceVersion, a time of RFC 3339, or a duration back from now. */
  readonly at: string;
  /** As `at`; the present if absent. */
  readonly to?: string;
  readonly patch?: true;
}

export interface UndoOptions extends HistoryOptions {
  /** The resourceVersion whose state is restored; by default, the one before the last change. */
  readonly to?: string;
  readonly dryRun?: 'server';
  readonly yes?: true;
}
