import https, { type RequestOptions } from 'node:https';
import type { Upstream } from '../../infra/loopback-proxy/index.ts';
import type { Access } from './connection.ts';
import { explainFailure } from './explain-failure.ts';

/** An endpoint for a proxy on loopback, with the login of its kubeconfig. */
export function upstreamOf(access: Access): Upstream {
  const { url } = access;
  return { url, credentials: reusing(access), explain: (error) => explain(error, url) };
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
