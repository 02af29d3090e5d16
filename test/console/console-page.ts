import { type Console, openConsole } from '../../infra/console/index.ts';
import { connect, type Winnow } from '../../lib/client/objects/index.ts';
import { type Service, startService } from '../support/service/service.ts';
import { type OpenPage, openPage } from './browser.ts';

export interface ConsolePageOptions {
  readonly readOnly?: boolean;
  readonly secrets?: boolean;
  /** The headers of the console's login, for example of a user with few rights. */
  readonly headers?: Record<string, string>;
  /** The service; by default a new one. */
  readonly service?: Service;
  /** The URL of a proxy before the service, to which the console sends its requests. */
  readonly through?: string;
  readonly port?: number;
}

/** A console before a local Winnow. */
export interface ConsoleService {
  readonly service: Service;
  readonly console: Console;
  /** A client that needs no console. */
  readonly winnow: Winnow;
  /** Opens a page by a new link, and then a path of the page, such as `/pods?q=tier%3Dfrontend`. */
  open(path?: string, options?: { readonly dark?: boolean }): Promise<OpenPage>;
  stop(): Promise<void>;
}

/** Starts a console, with a service if none is given. */
export async function startConsole(options: ConsolePageOptions = {}): Promise<ConsoleService> {
  const { readOnly = false, secrets = true, headers = {}, service: given, port = 0 } = options;
  const service = given ?? (await startService({ newestSchema: true }));
  const console = await openConsole({
    port,
    context: 'test',
    readOnly,
    secrets,
    upstream: {
      url: options.through ?? service.winnow.url,
      credentials: async () => ({ headers }),
      explain: (error) => `Winnow does not answer: ${String(error)}`,
    },
    onReuse: () => {},
  });
  return {
    service,
    console,
    winnow: connect({ url: service.winnow.url }),
    open: async (path = '/', { dark = false } = {}) => {
      const link = console.newLink();
      const code = link.slice(link.indexOf('#'));
      return openPage(`${console.url}${path}${code}`, { dark });
    },
    stop: async () => {
      await console.stop();
      if (given === undefined) await service.stop();
    },
  };
}
