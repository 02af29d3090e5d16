import { ENVIRONMENT } from '../../lib/platform/index.ts';

/** A variable of the function's environment that only some deployments set. */
export function optional(name: keyof typeof ENVIRONMENT): string | undefined {
  const value = process.env[ENVIRONMENT[name]];
  return value === '' ? undefined : value;
}
