import { type Console, openConsole } from '../../infra/console/index.ts';
import { assertFree } from '../../infra/loopback-guard/index.ts';
import { type Access, explainPort, upstreamOf } from '../connection/index.ts';
import { REUSED } from '../console/index.ts';
import { screen } from '../screen.ts';
import type { StartOptions } from './options.ts';

const OPTION = '--console-port';
const DEFAULT_PORT = 8081;

type Wanted = Pick<StartOptions, 'console' | 'consolePort'>;

/** Checks before a slow start that the port for the console is free, if the user named it. Throws a Fault. */
export async function assertConsolePort({ console, consolePort }: Wanted): Promise<void> {
  if (!console || consolePort === undefined) return;
  await assertFree(consolePort).catch((error) => {
    throw explainPort(error, OPTION);
  });
}

/**
 * Opens the console of a local run, for the local administrator. Undefined if the user wants none, or if the default
 * port is taken.
 */
export async function openLocalConsole(
  { console, consolePort }: Wanted,
  access: Access,
): Promise<Console | undefined> {
  if (!console) return undefined;
  const running = openConsole({
    port: consolePort ?? DEFAULT_PORT,
    upstream: upstreamOf(access),
    context: 'local',
    readOnly: false,
    secrets: false,
    onReuse: () => screen.error(REUSED),
  });
  return running.catch((error: Error) => {
    if (consolePort !== undefined) throw explainPort(error, OPTION);
    screen.note(`There is no console: ${error.message}. Choose another port with ${OPTION}.`);
    return undefined;
  });
}
