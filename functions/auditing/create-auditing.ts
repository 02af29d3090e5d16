import { systemClock as clock } from '../../lib/platform/index.ts';
import { type ApiOptions, type Auditing, openAuditing } from '../../lib/server/index.ts';
import { optional } from '../environment/index.ts';
import type { AuditQueueOptions, KeptEvent } from './audit-queue.ts';

type Heard = Pick<AuditQueueOptions, 'logger' | 'metrics'>;

/**
 * Writes down what the deployment's audit policy asks for, a line of JSON each, beside the function's log, and where
 * there is a queue for that, there too; undefined where there is no policy. Lambda takes the lines without anybody
 * waiting for it.
 */
export function createAuditing(heard: Heard): ApiOptions['auditing'] {
  const policy = optional('auditPolicy');
  if (policy === undefined) return undefined;
  let opened: Promise<Auditing> | undefined;
  return () => {
    opened ??= open(policy, heard);
    return opened;
  };
}

async function open(policy: string, heard: Heard): Promise<Auditing> {
  const url = optional('auditQueueUrl');
  const queue =
    url === undefined
      ? undefined
      : (await import('./audit-queue.ts')).openAuditQueue({ ...heard, url, clock });
  const keep = (event: KeptEvent) => {
    process.stdout.write(`${JSON.stringify(event)}\n`);
    queue?.keep(event);
  };
  return openAuditing(policy, { clock, keep, settle: queue?.settle })();
}
