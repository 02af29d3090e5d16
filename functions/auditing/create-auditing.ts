import { systemClock as clock } from '../../lib/platform/index.ts';
import { type ApiOptions, type Auditing, openAuditing } from '../../lib/server/index.ts';
import { optional } from '../environment/index.ts';
import type { AuditQueueOptions, KeptEvent } from './audit-queue.ts';

type Heard = Pick<AuditQueueOptions, 'logger' | 'metrics'>;

/**
 * Creates the audit of requests; undefined if the deployment has no audit policy. It writes each event as a line of
 * JSON to the function's log, and sends it to the audit queue if there is one. No request waits for the log.
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
