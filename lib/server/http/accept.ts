import { ApiError } from '../status/index.ts';

const META_KINDS = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;
const META_VERSIONS = ['v1', 'v1beta1'] as const;

/** The form of a response: the object itself, a Table of it, or only its metadata. */
export interface Representation {
  readonly as: 'itself' | (typeof META_KINDS)[number];
  /** The version of meta.k8s.io; it has no meaning for the object itself. */
  readonly version: (typeof META_VERSIONS)[number];
}

const YAML = 'application/yaml';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const SERVED = ['application/json', YAML];
/** The media types that Kubernetes offers. */
const OFFERED = [...SERVED, PROTOBUF];
const STREAMED = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/** One media range of an Accept header. */
export interface MediaRange {
  /** `type/subtype`, lower case; either may be `*`. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses an Accept header into media ranges, ordered by preference. Without a header, the result is one range that
 * accepts everything.
 */
export function parseAccept(header: string | undefined): MediaRange[] {
  const ranges = (header ?? '')
    .split(',')
    .map(parseRange)
    .filter(({ type }) => type !== '');
  if (ranges.length === 0) return [{ type: '*/*', parameters: new Map() }];
  return ranges.sort((a, b) => b.quality - a.quality);
}

export interface Negotiated {
  /** Whether the path supports watches. */
  readonly streams?: boolean;
  /** Whether the request is a watch. Watches are served only in JSON. */
  readonly isWatch?: boolean;
  /** Whether the answer has no Table form. */
  readonly hasNoTable?: boolean;
}

/**
 * Returns the first representation in the header that Winnow supports: JSON or YAML. The parameters `as`, `v` and `g`
 * ask for a Table or only the metadata. Unknown kinds and versions are skipped, as in Kubernetes.
 *
 * @throws ApiError 406 no offered representation is acceptable
 */
export function negotiate(
  header: string | undefined,
  { streams = false, isWatch = false, hasNoTable = false }: Negotiated = {},
): Representation {
  const ranges = parseAccept(header);
  if (!ranges.some(({ type }) => type === '*/*' || OFFERED.includes(type))) {
    const available = [...OFFERED, ...(streams ? STREAMED : [])].join(', ');
    const message = `406: Not Acceptable\n\nAvailable representations: ${available}`;
    throw new ApiError(406, 'NotAcceptable', message, { causes: [] });
  }
  for (const range of ranges) {
    const isServed = acceptsJson(range) || (!isWatch && isYaml(range));
    const representation = isServed ? representationOf(range) : undefined;
    if (representation === undefined || (hasNoTable && representation.as === 'Table')) continue;
    return representation;
  }
  // A client that asks for protobuf must learn that it gets no protobuf.
  throw notAcceptable(ranges.some(({ type }) => type === PROTOBUF) ? SERVED : OFFERED);
}

/** Whether YAML is the first supported representation in the header. */
export function prefersYaml(header: string | undefined): boolean {
  if (header === undefined || !header.toLowerCase().includes(YAML)) return false;
  const first = parseAccept(header).find(
    (range) => (acceptsJson(range) || isYaml(range)) && representationOf(range) !== undefined,
  );
  return first !== undefined && isYaml(first);
}

function isYaml({ type }: MediaRange): boolean {
  return type === YAML;
}

/** Whether the range is JSON, or anything. */
export function acceptsJson({ type }: MediaRange): boolean {
  return type === 'application/json' || type === '*/*';
}

/** Whether the parameters `as`, `v` and `g` of a range ask for this kind of a group and version. */
export function asksFor({ parameters }: MediaRange, group: string, version: string, kind: string): boolean {
  return parameters.get('g') === group && parameters.get('v') === version && parameters.get('as') === kind;
}

export function notAcceptable(accepted: readonly string[] = OFFERED): ApiError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`;
  return new ApiError(406, 'NotAcceptable', message);
}

function representationOf(range: MediaRange): Representation | undefined {
  const kind = range.parameters.get('as');
  if (kind === undefined) return { as: 'itself', version: 'v1' };
  const as = META_KINDS.find((known) => known === kind);
  const version = META_VERSIONS.find((known) => asksFor(range, 'meta.k8s.io', known, kind));
  return as === undefined || version === undefined ? undefined : { as, version };
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
