import { aligned } from '../aligned.ts';
import type { KubernetesObject } from '../client.ts';

/** A table, and the message for an empty one. */
export interface Rows {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly none: string;
}

/** Prints columns as kubectl does, or objects as JSON. The message for an empty table goes to standard error. */
export function printRows(what: Rows | readonly KubernetesObject[]): void {
  if (!('rows' in what)) {
    process.stdout.write(`${JSON.stringify(what, undefined, 2)}\n`);
  } else if (what.rows.length === 0) {
    process.stderr.write(`${what.none}\n`);
  } else {
    process.stdout.write(`${aligned([what.headers, ...what.rows]).join('\n')}\n`);
  }
}
