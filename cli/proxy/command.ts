import type { Command } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import { parseHosts, parseOrigins, parsePort } from '../option-values.ts';
import type { ProxyCommandOptions } from './options.ts';

const NOTES = `
Programs of this machine use the URL of the proxy instead of a kubeconfig, and act
with your login: a dashboard, a browser, curl. Watches may be websockets, which
browsers need and API Gateway does not have. The proxy refuses requests of web pages
of other origins, requests for tokens, and Impersonate headers. Press Ctrl-C to stop.`;

/** Adds the command `proxy` to the program. */
export function addProxy(program: Command): void {
  const command = program
    .command('proxy')
    .description('serve the API on this machine without a login, for programs that cannot log in')
    .option('--port <number>', 'the port, on loopback; 0 picks a free one', parsePort, 8001)
    .option(
      '--allowed-hosts <names>',
      'more host names that clients may use besides 127.0.0.1, localhost and [::1], separated by commas',
      parseHosts,
    )
    .option(
      '--allowed-origins <origins>',
      'pages that may send requests, such as http://localhost:4466 for a dashboard, separated by commas',
      parseOrigins,
    );
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (options: ProxyCommandOptions) => {
      const { proxy } = await import('./proxy.ts');
      await proxy(options);
    });
}
