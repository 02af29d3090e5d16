import { lookup as lookUp } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { BlockList, isIP } from 'node:net';
import {
  calledUrl,
  type HttpsDestination,
  printedUrl,
  type TransportAnswer,
  TransportError,
} from '../../lib/server/webhooks/index.ts';
import { readBounded } from '../outgoing/index.ts';
import { goReason } from './go-reason.ts';

/** The longest answer of a webhook, in bytes: kube-apiserver's own limit of a request. */
const LONGEST_ANSWER = 3 * 1024 * 1024;
/** The time after which the agent closes an idle connection, in ms. Servers commonly close theirs after a minute. */
const IDLE = 30_000;

/** One agent keeps the connections of a process. Its keys include the certificates and the server's name. */
const agent = new Agent({ keepAlive: true, timeout: IDLE, maxSockets: 64, ALPNProtocols: ['http/1.1'] });

/**
 * Sends one POST over HTTPS. It resolves the host once, checks that address and connects to it, so that no second
 * answer of a name server can lead elsewhere.
 *
 * @param timeout in ms, for everything from the name to the last byte
 * @throws {TransportError}
 */
export async function postHttps(
  destination: HttpsDestination,
  body: string,
  timeout: number,
): Promise<TransportAnswer> {
  const url = calledUrl(destination.url, timeout);
  const signal = AbortSignal.timeout(timeout);
  try {
    const address = await within(signal, addressOf(destination));
    const response = await send(destination, url, { body, address, signal });
    const text = await readBounded(response, LONGEST_ANSWER);
    return { status: response.statusCode ?? 0, text };
  } catch (error) {
    const reason = signal.aborted ? 'context deadline exceeded' : goReason(error, destination);
    const place = printedUrl(destination.url, timeout, destination.connect !== undefined);
    throw new TransportError(`Post ${JSON.stringify(place)}: ${reason}`, signal.aborted);
  }
}

/** A private address that the operator did not permit. The message says which. */
class AddressError extends Error {
  override readonly name = 'AddressError';
}

async function addressOf({ url, connect, mayBePrivate }: HttpsDestination): Promise<string> {
  const host = (connect?.host ?? url.hostname).replace(/^\[|\]$/g, '');
  const address = isIP(host) === 0 ? (await lookUp(host)).address : host;
  if (!mayBePrivate && isPrivate(address)) {
    throw new AddressError(
      `${host} has the private address ${address}, which a webhook may not have; the deployment's operator can list ` +
        'the host under privateHosts',
    );
  }
  return address;
}

/** Networks that lead into a machine, a link or a private network. From the special registries of IANA. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address leads into a private network. An IPv4 address inside an IPv6 one counts as that address. */
export function isPrivate(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

interface Sending {
  readonly body: string;
  readonly address: string;
  readonly signal: AbortSignal;
  /** Whether the request needs a connection of its own. */
  readonly isFresh?: boolean;
}

/**
 * Sends the request. A server may close a kept connection just when it is used again; then the request goes out once
 * more, on a new connection. A webhook must bear that: kube-apiserver may ask twice too.
 */
async function send(destination: HttpsDestination, url: URL, sending: Sending): Promise<IncomingMessage> {
  const first = await attempt(destination, url, sending);
  if ('response' in first) return first.response;
  if (!first.isStale) throw first.error;
  const second = await attempt(destination, url, { ...sending, isFresh: true });
  if ('response' in second) return second.response;
  throw second.error;
}

type Attempt = { readonly response: IncomingMessage } | { readonly error: Error; readonly isStale: boolean };

function attempt(
  { connect, certificates }: HttpsDestination,
  url: URL,
  { body, address, signal, isFresh = false }: Sending,
): Promise<Attempt> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const sent = request({
      method: 'POST',
      host: address,
      port: connect?.port ?? (url.port === '' ? 443 : Number(url.port)),
      path: `${url.pathname}${url.search}`,
      // An address has no SNI: its certificate is checked by the address.
      servername: isIP(hostname) === 0 ? hostname : '',
      headers: {
        host: url.host,
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': Buffer.byteLength(body),
      },
      // Go trusts each certificate of a caBundle, also one that another authority signed.
      ...(certificates !== undefined && { ca: certificates, allowPartialTrustChain: true }),
      agent: isFresh ? false : agent,
      signal,
    });
    sent.once('response', (response) => resolve({ response }));
    sent.once('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      resolve({ error, isStale: isClosed && sent.reusedSocket && !signal.aborted });
    });
    sent.end(body);
  });
}

/** Rejects when the signal aborts: `dns.lookup` cannot be interrupted. */
function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);
}
