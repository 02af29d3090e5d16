import { createHash } from 'node:crypto';

/** The part of the 253 characters that is left for the name of the Event's object. */
const LONGEST_NAME = 236;

/** The name of an Event about an object: the same for the same parts, so that telling it again finds it. */
export function eventName(about: string, ...parts: readonly string[]): string {
  const id = createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16);
  return `${about.slice(0, LONGEST_NAME)}.${id}`;
}
