import { route } from '../route/index.ts';
import type { KindInfo, Row } from './shapes.ts';

/** What tells an object, as the present user sees it, from all others. */
export function objectKey({ id }: KindInfo, { namespace = '', name }: Row['metadata'] | ObjectName): string {
  const { as, groups } = route.value;
  return JSON.stringify([id, namespace, name, as, groups]);
}

interface ObjectName {
  readonly namespace?: string;
  readonly name: string;
}

let pointed: { readonly key: string; readonly row: Row } | undefined;

/** Notes the row that the user points at: it is probably the next object in the drawer. */
export function pointAt(kind: KindInfo, row: Row): void {
  pointed = { key: objectKey(kind, row.metadata), row };
}

/** The row that the user pointed at, if it is the one of an object. */
export function pointedRow(kind: KindInfo, name: ObjectName): Row | undefined {
  return pointed?.key === objectKey(kind, name) ? pointed.row : undefined;
}
