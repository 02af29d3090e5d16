import { aligned } from '../aligned.ts';
import type { KubernetesObject } from '../client.ts';

/** Lines of columns, or what to say where there are none. */
export interface Rows {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly none: string;
}

/** Prints columns as kubectl does, or objects as JSON. What is no row goes to where errors go. */
export function printRows(what: Rows | readonly KubernetesObject[]): void {
  if (!('rows' in what)) {
    process.stdout.write(`${JSON.stringify(what, undefined, 2)}\n`);
  } else if (what.rows.length === 0) {
    process.stderr.write(`${what.none}\n`);
  } else {
    process.stdout.write(`${aligned([what.headers, ...what.rows]).join('\n')}\n`);
  }
}
