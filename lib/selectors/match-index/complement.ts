import type { Bag, Handle } from './bag.ts';
import { IntColumn } from './int-column.ts';

/**
 * Subscriptions without a positive requirement: they match all but the few that the event's labels exclude. The
 * handles stand in one array; excluding one swaps it behind the boundary. Nothing is to be undone for the next
 * event: it moves the boundary back, since no order matters. So an event costs what it excludes and one block copy.
 */
export class Complement {
  readonly #order = new IntColumn();
  /** By handle: where it stands in the order. */
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

  /** True where the handle was not excluded yet. */
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
