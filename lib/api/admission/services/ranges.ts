import type { Random } from '../../../platform/index.ts';

/** Where addresses of Services are: 10.96.0.0/12, as kubeadm has it. Nothing routes them. */
const NETWORK = (10 << 24) | (96 << 16);
const HOST_BITS = 20;
const ADDRESSES = 2 ** HOST_BITS;
/** The first ones are not given to those who do not ask for one: so who asks finds one that is free. */
const ASKED_FOR = 256;
export const NODE_PORTS = { from: 30_000, to: 32_767 } as const;
const ASKED_FOR_PORTS = 86;

/** Whether an address is one that a Service may have: neither the network's own nor the last one. */
export function isServiceAddress(address: string): boolean {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4) return false;
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const host = number - NETWORK;
  return host > 0 && host < ADDRESSES - 1;
}

export function isNodePort(port: number): boolean {
  return port >= NODE_PORTS.from && port <= NODE_PORTS.to;
}

/** An address by chance. */
export function anyAddress(random: Random): string {
  const host = between(random, ASKED_FOR, ADDRESSES - 2);
  const number = NETWORK + host;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

/** A port by chance. */
export function anyNodePort(random: Random): number {
  return between(random, NODE_PORTS.from + ASKED_FOR_PORTS, NODE_PORTS.to);
}

function between(random: Random, from: number, to: number): number {
  return from + Math.floor(random.fraction() * (to - from + 1));
}
