import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Certified, certify, named } from '../login/certify.ts';

const authority: Certified = certify({ subject: named('webhook-authority') });

/** The certificates that the servers of {@link serveWebhook} are signed with, as PEM. */
export const AUTHORITY = authority.cert;
/** The same as `caBundle`. */
export const CA_BUNDLE = Buffer.from(AUTHORITY).toString('base64');

export interface WebhookServer {
  readonly url: string;
  readonly port: number;
  /** The URLs and bodies of all requests so far. */
  readonly received: readonly { readonly url: string; readonly body: string }[];
  /** The number of connections so far. */
  connections(): number;
  stop(): Promise<void>;
}

/** Certificates by their names. Making one takes long. */
const certificates = new Map<string, Certified>();

function certificateFor(names: readonly string[]): Certified {
  const known = certificates.get(names.join());
  if (known !== undefined) return known;
  const usage = { serverAuth: true };
  const made = certify({ subject: named('webhook'), issuer: authority, names, usage });
  certificates.set(names.join(), made);
  return made;
}

/** Answers one request, which has this body. */
export type Respond = (response: ServerResponse, body: string, request: IncomingMessage) => void;

/** Starts an HTTPS server on a free port. Its certificate has these names. */
export async function serveWebhook(
  respond: Respond,
  names: readonly string[] = ['localhost', '127.0.0.1'],
  host = '127.0.0.1',
): Promise<WebhookServer> {
  const { cert, key } = certificateFor(names);
  const received: { url: string; body: string }[] = [];
  let connections = 0;
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    received.push({ url: request.url ?? '', body });
    respond(response, body, request);
  });
  server.on('secureConnection', () => {
    connections += 1;
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    port,
    received,
    connections: () => connections,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers an AdmissionReview with these members of the response. */
export function reviewing(decide: (request: Record<string, never>) => object): Respond {
  return (response, body) => {
    const { request } = JSON.parse(body);
    const review = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: request.uid, ...decide(request) },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(review));
  };
}
