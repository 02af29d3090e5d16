import type { Random, ServiceRange } from '../../../platform/index.ts';
import type { Store } from '../../../store/index.ts';
import { anyAddress, anyNodePort } from './ranges.ts';

/** How many random candidates one read checks. If none of them is free, the range is nearly full. */
const CANDIDATES = 16;
const LOOKS = 4;

export const addressName = (address: string) => `service-ip#${address}`;
export const portName = (port: number) => `node-port#${port}`;

export interface ClaimOptions {
  readonly store: Pick<Store, 'reservationHolders'>;
  readonly random: Random;
  readonly range: ServiceRange;
  /** The reservations that the object already holds. */
  readonly own: readonly string[];
}

/** The reservations of one Service: requested, or chosen at random. */
export class Claims {
  readonly #options: ClaimOptions;
  readonly #claimed = new Set<string>();

  constructor(options: ClaimOptions) {
    this.#options = options;
  }

  get names(): readonly string[] {
    return [...this.#claimed];
  }

  /** Claims a name if it is free or the Service already holds it. Returns whether it did. */
  async claim(name: string): Promise<boolean> {
    const { own, store } = this.#options;
    const isFree =
      own.includes(name) || this.#claimed.has(name) || !(await store.reservationHolders([name])).has(name);
    if (isFree) this.#claimed.add(name);
    return isFree;
  }

  anyAddress(): Promise<string | undefined> {
    const { range } = this.#options;
    return this.#any((random) => anyAddress(range, random), addressName);
  }

  anyPort(): Promise<number | undefined> {
    return this.#any(anyNodePort, portName);
  }

  /** Claims a random free value; undefined if none was found. */
  async #any<T>(choose: (random: Random) => T, nameOf: (one: T) => string): Promise<T | undefined> {
    const { store, random, own } = this.#options;
    for (let look = 1; look <= LOOKS; look += 1) {
      const candidates = Array.from({ length: look === 1 ? 1 : CANDIDATES }, () => choose(random));
      const taken = await store.reservationHolders([...new Set(candidates.map(nameOf))]);
      const isFree = (name: string) => !taken.has(name) && !this.#claimed.has(name) && !own.includes(name);
      const free = candidates.find((one) => isFree(nameOf(one)));
      if (free === undefined) continue;
      this.#claimed.add(nameOf(free));
      return free;
    }
    return undefined;
  }
}
