import { type Console, openConsole } from '../../infra/console/index.ts';
import { connect, type Winnow } from '../../lib/client/objects/index.ts';
import { type Service, startService } from '../support/service/service.ts';
import { type OpenPage, openPage, type PageOptions } from './browser.ts';

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

/** A console before any Winnow. */
export interface OpenedConsole {
  readonly console: Console;
  /** Opens a page by a new link, and then a path of the page, such as `/pods?q=tier%3Dfrontend`. */
  open(path?: string, options?: PageOptions): Promise<OpenPage>;
}

/** A console before a local Winnow. */
export interface ConsoleService extends OpenedConsole {
  readonly service: Service;
  /** A client that needs no console. */
  readonly winnow: Winnow;
  stop(): Promise<void>;
}

/** Starts a console, with a service if none is given. */
export async function startConsole(options: ConsolePageOptions = {}): Promise<ConsoleService> {
  const service = options.service ?? (await startService({ newestSchema: true }));
  const { url } = service.winnow;
  const opened = await openConsoleBefore(options.through ?? url, options);
  return {
    ...opened,
    service,
    winnow: connect({ url }),
    stop: async () => {
      await opened.console.stop();
      if (options.service === undefined) await service.stop();
    },
  };
}

/** Opens a console before the Winnow with a URL. */
export async function openConsoleBefore(
  url: string,
  { readOnly = false, secrets = true, headers = {}, port = 0 }: ConsolePageOptions = {},
): Promise<OpenedConsole> {
  const console = await openConsole({
    port,
    context: 'test',
    readOnly,
    secrets,
    upstream: {
      url,
      credentials: async () => ({ headers }),
      explain: (error) => `Winnow does not answer: ${String(error)}`,
    },
    onReuse: () => {},
  });
  const open = async (path = '/', options: PageOptions = {}) => {
    const link = console.newLink();
    const code = link.slice(link.indexOf('#'));
    return openPage(`${console.url}${path}${code}`, options);
  };
  return { console, open };
}
