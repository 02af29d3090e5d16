import { ApiError } from '../status/index.ts';

/** What an answer may look like: the object itself, a Table of it, or its metadata alone. */
export type Representation = 'json' | 'table' | 'partial-metadata';

/** One media range of an Accept header. */
export interface MediaRange {
  /** `type/subtype`, lower case; either may be `*`. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The media ranges that a header accepts, the most wanted first; `*` alone where there is no header. */
export function parseAccept(header: string | undefined): MediaRange[] {
  const ranges = (header ?? '')
    .split(',')
    .map(parseRange)
    .filter(({ type }) => type !== '');
  if (ranges.length === 0) return [{ type: '*/*', parameters: new Map() }];
  return ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
}

/**
 * The first representation of the header's that this API has: JSON, and by the parameters `as`, `v` and `g` a
 * Table or the metadata alone. Kinds and versions it does not know are passed over, as Kubernetes does.
 * @throws ApiError 406 when nothing JSON is acceptable.
 */
export function negotiate(header: string | undefined): Representation {
  for (const range of parseAccept(header)) {
    const representation = acceptsJson(range) ? representationOf(range) : undefined;
    if (representation !== undefined) return representation;
  }
  throw notAcceptable();
}

/** Whether `application/json` falls into the range. */
export function acceptsJson({ type }: MediaRange): boolean {
  return type === 'application/json' || type === 'application/*' || type === '*/*';
}

/** Whether the range asks for this kind of a meta API, as `as`, `v` and `g`. */
export function asksFor({ parameters }: MediaRange, group: string, version: string, kind: string): boolean {
  return parameters.get('g') === group && parameters.get('v') === version && parameters.get('as') === kind;
}

export function notAcceptable(): ApiError {
  return new ApiError(406, 'NotAcceptable', 'only the following media types are accepted: application/json');
}

function representationOf(range: MediaRange): Representation | undefined {
  const kind = range.parameters.get('as');
  if (kind === undefined) return 'json';
  if (!asksFor(range, 'meta.k8s.io', 'v1', kind)) return undefined;
  if (kind === 'Table') return 'table';
  return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList'
    ? 'partial-metadata'
    : undefined;
}

function parseRange(text: string): MediaRange & { readonly quality: number } {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map(rest.filter((part) => part.includes('=')).map(parseParameter));
  const quality = Number(parameters.get('q') ?? 1);
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 0 : quality };
}

function parseParameter(text: string): [string, string] {
  const equals = text.indexOf('=');
  const value = text.slice(equals + 1).trim();
  return [text.slice(0, equals).trim().toLowerCase(), value.replace(/^"(.*)"$/, '$1')];
}
