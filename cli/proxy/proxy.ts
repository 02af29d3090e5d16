import { once } from 'node:events';
import https, { type RequestOptions } from 'node:https';
import { openProxy } from '../../infra/loopback-proxy/index.ts';
import { type Access, explainFailure, explainPort, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import type { ProxyCommandOptions } from './options.ts';

/** Serves the API on loopback with the login of the kubeconfig, until the user interrupts. */
export async function proxy(options: ProxyCommandOptions): Promise<void> {
  const { port, allowedHosts, allowedOrigins } = options;
  const access = openAccess(options);
  const { url } = access;
  const running = openProxy({
    port,
    allowedHosts,
    allowedOrigins,
    upstream: { url, credentials: reusing(access), explain: (error) => explain(error, url) },
  });
  const opened = await running.catch((error) => {
    throw explainPort(error);
  });
  screen.say(
    `Serving ${url} at ${opened.url}, ${access.login === undefined ? 'without a login' : `with ${access.login}`}.`,
  );
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await once(stop.signal, 'abort');
  await opened.stop();
}

/** The login of each request. Requests reuse open connections, because a new connection takes several round trips. */
function reusing(access: Access): () => Promise<RequestOptions> {
  let agent: https.Agent | undefined;
  return async () => {
    const options = await access.credentials(false);
    // A proxy of the kubeconfig has an agent of another class.
    if (!(options.agent instanceof https.Agent) || options.agent.constructor !== https.Agent) return options;
    agent ??= new https.Agent({ ...options.agent.options, keepAlive: true });
    return { ...options, agent };
  };
}

function explain(error: unknown, url: string): string {
  const fault = explainFailure(error, url);
  return [fault.message, ...fault.help].join('. ');
}
