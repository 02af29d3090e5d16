import { ENVIRONMENT } from '../../lib/platform/index.ts';

/**
 * An environment variable that every deployment sets.
 *
 * @throws {Error} the variable is empty or absent; the function then fails at load
 */
export function required(name: keyof typeof ENVIRONMENT): string {
  const value = process.env[ENVIRONMENT[name]];
  if (value === undefined || value === '') throw new Error(`${ENVIRONMENT[name]} is not set`);
  return value;
}
