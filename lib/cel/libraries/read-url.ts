import { quoteLikeGo } from './go-text.ts';

/** A text that is no URL, with Go's reason. */
export class UrlError extends Error {}

/** The parts of a URL as Go's net/url reads them. */
export interface ReadUrl {
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  /** The query without its question mark. */
  readonly query: string;
  /** The user before the host, with the password; undefined if there is none. */
  readonly user: string | undefined;
  readonly fragment: string;
  /** The whole URL as Go prints it. */
  readonly text: string;
}

type Part = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

/**
 * Reads a URL as Go's net/url does.
 *
 * @param isRequest true for url.ParseRequestURI, which demands an absolute URL or path, and knows no fragment
 * @throws {UrlError}
 */
export function parseUrl(text: string, isRequest: boolean): ReadUrl {
  const hash = isRequest ? -1 : text.indexOf('#');
  const fragment = hash === -1 ? '' : text.slice(hash + 1);
  const before = hash === -1 ? text : text.slice(0, hash);
  const read = readUrl(before, isRequest);
  if (fragment === '') return read;
  const plain = unescapeUrl(fragment, 'fragment');
  return { ...read, fragment: plain, text: `${read.text}#${encode(plain, fragment, 'fragment')}` };
}

function readUrl(text: string, isRequest: boolean): ReadUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses these characters
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UrlError('net/url: invalid control character in URL');
  if (text === '' && isRequest) throw new UrlError('empty url');
  const plain = { host: '', user: undefined, fragment: '' };
  if (text === '*') return { ...plain, scheme: '', escapedPath: '*', query: '', text };
  const { scheme, rest: afterScheme } = schemeOf(text);
  const mark = afterScheme.indexOf('?');
  const rest = mark === -1 ? afterScheme : afterScheme.slice(0, mark);
  const query = mark === -1 ? '' : afterScheme.slice(mark + 1);
  const shownQuery = mark === -1 ? '' : `?${query}`;
  const start = scheme === '' ? '' : `${scheme}:`;
  if (!rest.startsWith('/')) {
    if (scheme !== '') {
      return { ...plain, scheme, escapedPath: '', query, text: `${start}${rest}${shownQuery}` };
    }
    if (isRequest) throw new UrlError('invalid URI for request');
    if (rest.split('/')[0]?.includes(':') === true) {
      throw new UrlError('first path segment in URL cannot contain colon');
    }
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')));
  const { host, user, path } = hasAuthority ? authorityOf(rest.slice(2)) : { ...plain, path: rest };
  const escapedPath = encode(unescapeUrl(path, 'path'), path, 'path');
  const isShown = hasAuthority && (host !== '' || escapedPath !== '' || user !== undefined);
  const shownHost = isShown ? `//${user === undefined ? '' : `${user}@`}${host}` : '';
  const shown = `${start}${shownHost}${escapedPath}${shownQuery}`;
  return { scheme, host, escapedPath, query, user, fragment: '', text: shown };
}

function schemeOf(text: string): { scheme: string; rest: string } {
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  const [, scheme = '', rest = text] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  return { scheme: scheme.toLowerCase(), rest };
}

function authorityOf(text: string): { host: string; user: string | undefined; path: string } {
  const slash = text.indexOf('/');
  const authority = slash === -1 ? text : text.slice(0, slash);
  const path = slash === -1 ? '' : text.slice(slash);
  const at = authority.lastIndexOf('@');
  const host = hostOf(authority.slice(at + 1));
  if (at === -1) return { host, user: undefined, path };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlError('net/url: invalid userinfo');
  unescapeUrl(user, 'user');
  return { host, user, path };
}

function hostOf(host: string): string {
  if (!host.startsWith('[')) {
    const colon = host.lastIndexOf(':');
    checkPort(colon === -1 ? '' : host.slice(colon));
    return unescapeUrl(host, 'host');
  }
  const end = host.lastIndexOf(']');
  if (end === -1) throw new UrlError("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const zone = host.slice(0, end).indexOf('%25');
  if (zone === -1) return unescapeUrl(host, 'host');
  const parts = [host.slice(0, zone), host.slice(zone, end), host.slice(end)] as const;
  return unescapeUrl(parts[0], 'host') + unescapeUrl(parts[1], 'zone') + unescapeUrl(parts[2], 'host');
}

function checkPort(port: string): void {
  if (port !== '' && !/^:\d*$/.test(port)) throw new UrlError(`invalid port ${quoteLikeGo(port)} after host`);
}

/**
 * Replaces escapes by their bytes. Bytes that are no UTF-8 become replacement characters.
 *
 * @throws {UrlError}
 */
export function unescapeUrl(text: string, part: Part): string {
  const isHost = part === 'host' || part === 'zone';
  for (const each of isHost ? text : '') {
    if (each < '\u0080' && !/[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%]/.test(each)) {
      throw new UrlError(`invalid character ${quoteLikeGo(each)} in host name`);
    }
  }
  for (const { index } of text.matchAll(/%/g)) {
    const sequence = text.slice(index, index + 3);
    const isValid =
      /^%[0-9A-Fa-f]{2}$/.test(sequence) &&
      (part !== 'host' || sequence === '%25' || /^%[89A-Fa-f]/.test(sequence));
    if (!isValid) throw new UrlError(`invalid URL escape ${quoteLikeGo(sequence)}`);
  }
  const spaced = part === 'query' ? text.replaceAll('+', ' ') : text;
  return spaced.replace(/(%[0-9A-Fa-f]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
}

const KEPT: Readonly<Record<'path' | 'fragment', RegExp>> = {
  path: /[A-Za-z0-9\-_.~$&+,/:;=@]/,
  fragment: /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/,
};

/** Returns the written form of a path or fragment if all of its characters are allowed there, else escapes it. */
function encode(plain: string, written: string, part: 'path' | 'fragment'): string {
  const isValid = [...written].every((each) => KEPT[part].test(each) || /[!$&'()*+,;=:@[\]%]/.test(each));
  if (isValid) return written;
  return [...plain].map((each) => (KEPT[part].test(each) ? each : percent(each))).join('');
}

function percent(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
