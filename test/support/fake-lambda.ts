import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Listening, listen } from './listen.ts';

/** An invocation: its path, and its event as text. */
export interface Invoked {
  readonly path: string;
  readonly event: string;
}

/**
 * Starts an HTTP server that stands for Lambda, and names it and its credentials in the environment. `stop` restores the
 * environment.
 *
 * @param prefix the path before those of Lambda, as local stacks have one
 */
export async function startFakeLambda(
  respond: (response: ServerResponse, invoked: Invoked) => void,
  prefix = '',
): Promise<Listening> {
  const lambda = await listen(
    createServer(async (request, response) =>
      respond(response, { path: String(request.url), event: await text(request) }),
    ),
  );
  const variables = {
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_LAMBDA: `${lambda.url}${prefix}`,
  };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return {
    url: lambda.url,
    stop: async () => {
      await lambda.stop();
      for (const [name, value] of before) {
        if (value === undefined) {
          delete process.env[name];
        } else {
          process.env[name] = value;
        }
      }
    },
  };
}
