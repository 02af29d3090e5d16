/** A function that returns the token of a request. `refused` is the token that the server just answered with 401. */
export type TokenSource = (refused?: string) => string | undefined | Promise<string | undefined>;

export interface AddressOptions {
  /** The URL of Winnow, such as `http://127.0.0.1:8080`. Default: the environment variable `WINNOW_URL`. */
  readonly url?: string | undefined;
  /**
   * The token that authenticates each request, or a function that returns it. After a 401 the client calls the function
   * once more, with the refused token. Default: `WINNOW_TOKEN`, but only together with `WINNOW_URL`.
   */
  readonly token?: string | TokenSource | undefined;
}

/** The URL of requests, and their authentication. */
export interface Address {
  /** The URL without a slash at its end. */
  readonly base: string;
  /** Returns the value of the header `authorization`; undefined without a login. */
  readonly authorization: (refused?: string) => Promise<string | undefined>;
}

/** The characters of which a header can consist. */
const TOKEN = /^[\x21-\x7e]+$/;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Reads the URL and the token.
 *
 * @throws {TypeError} there is no URL, the URL has a password, or a token would travel without encryption
 */
export function readAddress({ url, token }: AddressOptions): Address {
  const environment = url === undefined && typeof process !== 'undefined' ? process.env : {};
  const text = url ?? environment.WINNOW_URL;
  if (text === undefined) throw new TypeError('there is no URL: set the option url, or WINNOW_URL');
  const parsed = readUrl(text);
  const given = token ?? environment.WINNOW_TOKEN;
  const source = given === '' ? undefined : given;
  if (source !== undefined && parsed.protocol === 'http:' && !LOOPBACK.test(parsed.hostname)) {
    throw new TypeError(`a token for ${parsed.origin} would travel without encryption; use https`);
  }
  return {
    base: `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`,
    authorization: async (refused) => {
      const value = typeof source === 'function' ? await source(refused) : source;
      if (value === undefined || value === '') return undefined;
      // The error of fetch would contain the token.
      if (!TOKEN.test(value)) throw new TypeError('the token has characters that a header cannot carry');
      return `Bearer ${value}`;
    },
  };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    // The text may contain a password.
    const shown = text.includes('@') ? 'the URL' : JSON.stringify(text);
    throw new TypeError(`${shown} is not an http or https URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`the URL of ${url.host} has a user or a password; use the option token`);
  }
  return url;
}
