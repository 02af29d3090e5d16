import type { Random, ServiceRange } from '../../../platform/index.ts';

/**
 * The start of the range is never chosen at random, as in Kubernetes, so a requested address there is likely to be
 * free.
 */
const ASKED_FOR = { part: 1 / 16, least: 16, most: 256 } as const;
export const NODE_PORTS = { from: 30_000, to: 32_767 } as const;
const ASKED_FOR_PORTS = 86;

/** Whether a Service may have an address: it is in the range, and neither the network address nor the last one. */
export function isServiceAddress({ network, addresses }: ServiceRange, address: string): boolean {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4) return false;
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const host = number - network;
  return host > 0 && host < addresses - 1;
}

export function isNodePort(port: number): boolean {
  return port >= NODE_PORTS.from && port <= NODE_PORTS.to;
}

/** A random address above the part that is reserved for requested addresses. */
export function anyAddress({ network, addresses }: ServiceRange, random: Random): string {
  const last = addresses - 2;
  return printed(network + between(random, Math.min(firstGiven(addresses), last), last));
}

/** The address that Kubernetes shows in a dry run: the network address. */
export function rehearsedAddress({ network }: ServiceRange): string {
  return printed(network);
}

/** A random port above the part that is reserved for requested ports. */
export function anyNodePort(random: Random): number {
  return between(random, NODE_PORTS.from + ASKED_FOR_PORTS, NODE_PORTS.to);
}

/** The first address that may be chosen at random. In a small network, no address is reserved for requests. */
function firstGiven(addresses: number): number {
  const { part, least, most } = ASKED_FOR;
  const first = Math.min(Math.max(Math.floor(addresses * part), least), most);
  return first < addresses - 2 ? first : 1;
}

function printed(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}

function between(random: Random, from: number, to: number): number {
  return from + Math.floor(random.fraction() * (to - from + 1));
}
