import { type Implementations, typed } from '../functions/index.ts';
import type { Meter } from '../meter.ts';
import { ArrayList, CelError, MutableMap, OpaqueValue, type Value } from '../values/index.ts';
import { quoteLikeGo } from './go-text.ts';
import { parseUrl, type ReadUrl, UrlError, unescapeUrl } from './read-url.ts';

/** A URL. */
class UrlValue extends OpaqueValue {
  override readonly typeName = 'kubernetes.URL';
  readonly read: ReadUrl;

  constructor(read: ReadUrl) {
    super();
    this.read = read;
  }

  override equals(other: Value): boolean | CelError {
    return other instanceof UrlValue ? this.read.text === other.read.text : new CelError('no such overload');
  }
}

/** Functions of URLs, by overload id. */
export const URLS: Implementations = {
  string_to_url: typed((_, text: string) => urlOf(text)),
  is_url_string: typed((_, text: string) => urlErrorOf(text) === undefined),
  url_get_scheme: typed((_, { read }: UrlValue) => read.scheme),
  url_get_host: typed((_, { read }: UrlValue) => read.host),
  url_get_hostname: typed((_, { read }: UrlValue) => hostAndPort(read.host).name),
  url_get_port: typed((_, { read }: UrlValue) => hostAndPort(read.host).port),
  url_get_escaped_path: typed((_, { read }: UrlValue) => read.escapedPath),
  url_get_query: typed(({ meter }, { read }: UrlValue) => queryOf(read.query, meter)),
};

/** Returns what Go's url.ParseRequestURI says of a text; undefined for a URL. */
export function urlErrorOf(text: string): string | undefined {
  const read = tryParse(text, true);
  return read instanceof UrlError ? `parse ${quoteLikeGo(text)}: ${read.message}` : undefined;
}

function urlOf(text: string): UrlValue | CelError {
  const error = urlErrorOf(text);
  if (error !== undefined) return new CelError(`URL parse error during conversion from string: ${error}`);
  const read = tryParse(text, false);
  if (!(read instanceof UrlError)) return new UrlValue(read);
  return new CelError(
    `URL parse error during conversion from string: parse ${quoteLikeGo(text)}: ${read.message}`,
  );
}

function tryParse(text: string, isRequest: boolean): ReadUrl | UrlError {
  try {
    return parseUrl(text, isRequest);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
}

function hostAndPort(host: string): { name: string; port: string } {
  const [, before = host, port = ''] = /^(.*):(\d*)$/s.exec(host) ?? [];
  const name = before.startsWith('[') && before.endsWith(']') ? before.slice(1, -1) : before;
  return { name, port };
}

/** Returns the parameters of a query. Parameters that Go cannot read are left out. */
function queryOf(query: string, meter: Meter): MutableMap {
  const lists = new Map<string, string[]>();
  meter.buildText(query.length);
  for (const part of query.split('&')) {
    meter.buildElements(1);
    if (part === '' || part.includes(';')) continue;
    const [name = '', ...rest] = part.split('=');
    const [key, value] = [tryUnescape(name), tryUnescape(rest.join('='))];
    if (key === undefined || value === undefined) continue;
    const known = lists.get(key);
    if (known === undefined) {
      lists.set(key, [value]);
    } else {
      known.push(value);
    }
  }
  const map = new MutableMap();
  for (const [key, values] of lists) map.set(key, new ArrayList(values));
  return map;
}

function tryUnescape(text: string): string | undefined {
  try {
    return unescapeUrl(text, 'query');
  } catch (error) {
    if (error instanceof UrlError) return undefined;
    throw error;
  }
}
