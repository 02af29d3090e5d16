import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { logGroupsOf } from './remains.ts';
import type { TrialOptions } from './trial.ts';

/** Of each function, how many lines are shown. */
const SHOWN = 20;

/** What Lambda itself writes about an invocation. */
const LIFE = /^(START|END|REPORT|INIT_START) /;

/** What the functions logged since `startTime` (milliseconds since the epoch), the last lines of each. */
export async function functionLogs(options: TrialOptions, startTime: number): Promise<string> {
  const client = new CloudWatchLogsClient(options.target.client);
  const parts: string[] = [];
  for (const logGroupName of await logGroupsOf(options)) {
    const lines: string[] = [];
    for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, startTime })) {
      lines.push(...events.map(({ message = '' }) => message.trimEnd()).filter((line) => !LIFE.test(line)));
    }
    if (lines.length > 0) parts.push(`-- ${logGroupName}`, ...lines.slice(-SHOWN));
  }
  return parts.join('\n');
}

/** Whether any function has logged this text. */
export async function findLogs(options: TrialOptions, text: string): Promise<boolean> {
  const client = new CloudWatchLogsClient(options.target.client);
  for (const logGroupName of await logGroupsOf(options)) {
    const { events = [] } = await client.send(
      new FilterLogEventsCommand({ logGroupName, filterPattern: `"${text}"` }),
    );
    if (events.some(({ message = '' }) => message.includes(text))) return true;
  }
  return false;
}
