import { ENVIRONMENT } from '../../lib/platform/index.ts';

/** An environment variable that only some deployments set; undefined if it is empty or absent. */
export function optional(name: keyof typeof ENVIRONMENT): string | undefined {
  const value = process.env[ENVIRONMENT[name]];
  return value === '' ? undefined : value;
}
