import { createHash } from 'node:crypto';

/** The maximum length of the object's name in an Event's name, which may have 253 characters. */
const LONGEST_NAME = 236;

/**
 * Returns the name of an Event about an object. Equal parts give the same name, so that a repeated Event finds the
 * first one.
 */
export function eventName(about: string, ...parts: readonly string[]): string {
  const id = createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16);
  return `${about.slice(0, LONGEST_NAME)}.${id}`;
}
