import { type JsonObject, objectAt } from '../../lib/json/index.ts';

/** Of the lines' form. */
export const FORMAT = 1;

/** With all that the API says of objects, or as their authors would write them. */
export type Form = 'whole' | 'plain';

/**
 * What a line says that is no object. It is an empty list, so kubectl applies nothing for it.
 *
 *   begin  the first line
 *   page   the objects before it, back to the last marker, are of this collection, which is as it was at this
 *          resourceVersion; there are more of them where it has `continue`
 *   end    the last line: so many objects in all
 */
export type Marker =
  | { readonly what: 'begin'; readonly format: number; readonly form: Form; readonly from: string }
  | {
      readonly what: 'page';
      readonly path: string;
      readonly resourceVersion: string;
      readonly continue: string;
      /** Of the collection, this page's included. */
      readonly objects: number;
    }
  | { readonly what: 'end'; readonly objects: number };

const LIST = '{"apiVersion":"v1","kind":"List",';

export function markerLine(marker: Marker): string {
  const { resourceVersion, continue: next } = { resourceVersion: '', continue: '', ...marker };
  const metadata = { ...(resourceVersion && { resourceVersion }), ...(next && { continue: next }) };
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata, items: [], export: marker })}\n`;
}

/** What a line says, undefined where it is not a marker. */
export function parseMarker(line: string): Marker | undefined {
  if (!line.startsWith(LIST)) return undefined;
  const { export: marker } = objectAt(JSON.parse(line)) as { export?: JsonObject };
  return marker as unknown as Marker | undefined;
}
