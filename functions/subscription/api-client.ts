/** Asks the API: what came back where it is well, undefined where there is no such object. */
export interface ApiClient {
  /** @throws {Error} any other answer than 2xx and 404, in the API's words. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
}

export interface ApiClientOptions {
  /** With a slash at its end. */
  readonly url: string;
  /** Gives a token that is good now. */
  readonly token: () => Promise<string>;
}

const NOT_FOUND = 404;

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
