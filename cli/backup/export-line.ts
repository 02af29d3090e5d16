import { type JsonObject, objectAt } from '../../lib/json/index.ts';

/** The version of the line format. */
export const FORMAT = 1;

/** `whole`: objects as the API returns them. `plain`: objects as their authors would write them. */
export type Form = 'whole' | 'plain';

/**
 * The content of a line that is not an object. The line is an empty list, so kubectl applies nothing for it.
 *
 *   begin  the first line
 *   page   the objects between the previous marker and this one belong to this collection at this resourceVersion;
 *          if `continue` is not empty, more objects follow
 *   end    the last line, with the number of all objects
 */
export type Marker =
  | { readonly what: 'begin'; readonly format: number; readonly form: Form; readonly from: string }
  | {
      readonly what: 'page';
      readonly path: string;
      readonly resourceVersion: string;
      readonly continue: string;
      /** How many objects of the collection the file holds, including this page. */
      readonly objects: number;
    }
  | { readonly what: 'end'; readonly objects: number };

const LIST = '{"apiVersion":"v1","kind":"List",';

export function markerLine(marker: Marker): string {
  const { resourceVersion, continue: next } = { resourceVersion: '', continue: '', ...marker };
  const metadata = { ...(resourceVersion && { resourceVersion }), ...(next && { continue: next }) };
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata, items: [], export: marker })}\n`;
}

/** The marker in a line; undefined if the line is not a marker. */
export function parseMarker(line: string): Marker | undefined {
  if (!line.startsWith(LIST)) return undefined;
  const { export: marker } = objectAt(JSON.parse(line)) as { export?: JsonObject };
  return marker as unknown as Marker | undefined;
}
