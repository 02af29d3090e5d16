import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page, PageFile } from '../bundle/index.ts';
import { refusalOf, sendRefusal } from '../loopback-guard/index.ts';

/** A name with a hash has always the same content. */
const FOREVER = 'private, max-age=31536000, immutable';

/** Serves the files of a page that is built at the first request. A failed build is tried again at the next request. */
export class PageServer {
  readonly #build: () => Promise<Page>;
  #page: Promise<Page> | undefined;

  constructor(build: () => Promise<Page>) {
    this.#build = build;
  }

  /** Answers a GET or a HEAD: a file by its path, or the HTML by any other path if the client accepts HTML. */
  async serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    this.#page ??= this.#build();
    let page: Page;
    try {
      page = await this.#page;
    } catch (error) {
      this.#page = undefined;
      const why = (error as Error).message;
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
      return void response.end(`The console's page cannot be built: ${why}\n`);
    }
    const file = page.files.get(path);
    if (file !== undefined) return send(request, response, { file, cache: FOREVER });
    if (request.headers.accept?.includes('text/html')) {
      return send(request, response, { file: page.html, cache: 'no-store' });
    }
    sendRefusal(response, refusalOf(404, `the console has no file ${JSON.stringify(path)}`));
  }
}

interface Served {
  readonly file: PageFile;
  readonly cache: string;
}

function send(request: IncomingMessage, response: ServerResponse, { file, cache }: Served): void {
  const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(
    String(request.headers['accept-encoding']),
  );
  const gzipped = acceptsGzip ? file.gzipped : undefined;
  const body = gzipped ?? file.body;
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': body.length,
    'cache-control': cache,
    vary: 'Accept-Encoding',
    ...(gzipped !== undefined && { 'content-encoding': 'gzip' }),
  });
  response.end(body);
}
