import { ENVIRONMENT } from '../../lib/platform/index.ts';

/** A variable of the function's environment. Throws at load when the stack did not set it. */
export function required(name: keyof typeof ENVIRONMENT): string {
  const value = process.env[ENVIRONMENT[name]];
  if (value === undefined || value === '') throw new Error(`${ENVIRONMENT[name]} is not set`);
  return value;
}
