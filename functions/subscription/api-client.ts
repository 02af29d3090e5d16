/** A client of the API. */
export interface ApiClient {
  /**
   * Sends a request. Returns the body, or undefined if the object does not exist.
   *
   * @throws {Error} the status is neither 2xx nor 404; the message is the API's.
   */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
}

export interface ApiClientOptions {
  /** It ends with a slash. */
  readonly url: string;
  /** Returns a token that is valid now. */
  readonly token: () => Promise<string>;
}

const NOT_FOUND = 404;

/** Creates a client of the API that authenticates each request with a token. */
export function createApiClient({ url, token }: ApiClientOptions): ApiClient {
  return {
    async ask(method, path, body) {
      const headers = {
        authorization: `Bearer ${await token()}`,
        'content-type': 'application/apply-patch+yaml',
      };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, { method, headers, ...text });
      const answer = (await response.json()) as { message?: string };
      if (response.status === NOT_FOUND && body === undefined) return undefined;
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
      return answer;
    },
  };
}
