import type { Pod } from '../objects.ts';

export interface HostPort {
  readonly ip: string;
  /** `TCP/80` */
  readonly port: string;
}

const EVERY_IP = '0.0.0.0';

/** The host ports of a pod. Those of init containers do not count. */
export function hostPortsOf({ spec }: Pod): HostPort[] {
  return (spec?.containers ?? []).flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ hostPort, hostIP, protocol }) =>
      (hostPort ?? 0) > 0 ? [{ ip: hostIP || EVERY_IP, port: `${protocol || 'TCP'}/${hostPort}` }] : [],
    ),
  );
}

/** Whether two host ports conflict. The address 0.0.0.0 conflicts with every address. */
export function conflicts(one: HostPort, other: HostPort): boolean {
  return one.port === other.port && (one.ip === other.ip || one.ip === EVERY_IP || other.ip === EVERY_IP);
}

/** The host ports in use on a node. */
export class UsedPorts {
  /** The number of pods by port and address. */
  readonly #taken = new Map<string, Map<string, number>>();

  add({ ip, port }: HostPort): void {
    const addresses = this.#taken.get(port) ?? new Map<string, number>();
    this.#taken.set(port, addresses);
    addresses.set(ip, (addresses.get(ip) ?? 0) + 1);
  }

  remove({ ip, port }: HostPort): void {
    const addresses = this.#taken.get(port);
    const left = (addresses?.get(ip) ?? 0) - 1;
    if (left > 0) {
      addresses?.set(ip, left);
    } else {
      addresses?.delete(ip);
      if (addresses?.size === 0) this.#taken.delete(port);
    }
  }

  conflictsWith({ ip, port }: HostPort): boolean {
    const addresses = this.#taken.get(port);
    if (addresses === undefined) return false;
    return ip === EVERY_IP || addresses.has(EVERY_IP) || addresses.has(ip);
  }
}
