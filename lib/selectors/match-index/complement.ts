import type { Bag, Handle } from './bag.ts';
import { IntColumn } from './int-column.ts';

/**
 * The subscriptions without a positive requirement: they match every event except the few whose labels exclude them.
 * The handles are in one array. Excluding a handle swaps it behind the boundary. The order is irrelevant, so the next
 * event only resets the boundary. An event thus costs its exclusions and one block copy.
 */
export class Complement {
  readonly #order = new IntColumn();
  /** The handle's index in the order, by handle. */
  readonly #places = new IntColumn();
  #count = 0;
  #boundary = 0;

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#order.bytes + this.#places.bytes;
  }

  add(handle: Handle): void {
    this.#put(handle, this.#count++);
  }

  remove(handle: Handle): void {
    this.#put(this.#order.get(--this.#count), this.#places.get(handle));
  }

  begin(): void {
    this.#boundary = this.#count;
  }

  /** Excludes a handle. Returns false where it was excluded already. */
  excludes(handle: Handle): boolean {
    const order = this.#order.values;
    const places = this.#places.values;
    const place = places[handle] as number;
    if (place >= this.#boundary) return false;
    const last = order[--this.#boundary] as number;
    order[place] = last;
    places[last] = place;
    order[this.#boundary] = handle;
    places[handle] = this.#boundary;
    return true;
  }

  collect(into: Bag): void {
    into.append(this.#order.values, this.#boundary);
  }

  #put(handle: Handle, place: number): void {
    this.#order.set(place, handle);
    this.#places.set(handle, place);
  }
}
