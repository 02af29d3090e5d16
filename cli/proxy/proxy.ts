import { openProxy } from '../../infra/loopback-proxy/index.ts';
import { explainPort, openAccess, upstreamOf } from '../connection/index.ts';
import { interrupted } from '../interrupted.ts';
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
    upstream: upstreamOf(access),
  });
  const opened = await running.catch((error) => {
    throw explainPort(error);
  });
  screen.say(
    `Serving ${url} at ${opened.url}, ${access.login === undefined ? 'without a login' : `with ${access.login}`}.`,
  );
  await interrupted();
  await opened.stop();
}
