import { openConsole } from '../../infra/console/index.ts';
import {
  anonymousVersion,
  Connection,
  explainPort,
  openAccess,
  upstreamOf,
  versionWithLogin,
} from '../connection/index.ts';
import { interrupted } from '../interrupted.ts';
import { screen } from '../screen.ts';
import { offerLinks, REUSED } from './offer-links.ts';
import { openBrowser } from './open-browser.ts';
import type { ConsoleCommandOptions } from './options.ts';

/** Serves the console of an endpoint, until the user interrupts. */
export async function serveConsole(options: ConsoleCommandOptions): Promise<void> {
  const { port, readOnly, secrets, open } = options;
  const access = openAccess(options);
  const signal = interrupted();
  const ending = new AbortController();
  void signal.then(() => ending.abort(new Error('interrupted')));
  const connection = new Connection(access, ending.signal);
  const asked = access.whoAmI();
  if ((await anonymousVersion(connection)) === undefined) await versionWithLogin(connection);
  const { url, context = url, login = 'none' } = access;
  const running = openConsole({
    port,
    readOnly,
    secrets,
    context,
    upstream: upstreamOf(access),
    onReuse: () => screen.error(REUSED),
  });
  const console = await running.catch((error) => {
    throw explainPort(error);
  });
  const name = await asked;
  screen.title(`The console runs at ${console.url}`);
  screen.say(`Context: ${context}`);
  screen.say(`Server:  ${url}`);
  screen.say(`Login:   ${login}${name === undefined ? '' : `, as ${name}`}`);
  screen.say(
    `Mode:    ${readOnly ? 'read-only' : 'read and write'}, Secrets ${secrets ? 'with' : 'without'} their data`,
  );
  screen.blank();
  const link = console.newLink();
  screen.say(`Open ${link}`);
  screen.say('The link opens one session. Press Enter for a new link, or Ctrl-C to stop.');
  if (open && process.stdout.isTTY) openBrowser(link);
  const stopOffering = offerLinks(console.newLink);
  await signal;
  stopOffering();
  await console.stop();
}
