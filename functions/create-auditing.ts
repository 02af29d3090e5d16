import { type ApiOptions, openAuditing } from '../lib/api/index.ts';
import { systemClock as clock } from '../lib/platform/index.ts';
import { optional } from './optional.ts';

/**
 * Writes down what the deployment's audit policy asks for, a line of JSON each, beside the function's log; undefined
 * where there is no policy. Lambda takes the lines without anybody waiting for it.
 */
export function createAuditing(): ApiOptions['auditing'] {
  const policy = optional('auditPolicy');
  if (policy === undefined) return undefined;
  const keep = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
  return openAuditing(policy, { clock, keep });
}
