import type { EventRecord } from './event-of.ts';

/** What can happen to a subscription, each by the one word that its Event is known by. */
export const EVENT_RECORDS = {
  /** Dispatch has it. */
  synced: (arn: string): EventRecord => ({
    type: 'Normal',
    reason: 'Synced',
    message: `changes are sent to ${arn} as they happen`,
  }),
  /** The last message of an edit was sent. */
  edited: (edit: number, generation: number): EventRecord => ({
    type: 'Normal',
    reason: 'Edited',
    message: `the difference was sent: edit ${edit}, generation ${generation} of what it asks for is in force`,
  }),
  suspended: (why: string): EventRecord => ({ type: 'Normal', reason: 'Suspended', message: why }),
  resumed: (position: number): EventRecord => ({
    type: 'Normal',
    reason: 'Resumed',
    message:
      position === 0
        ? 'sending begins with a fresh snapshot'
        : `sending goes on behind resourceVersion ${position}`,
  }),
  /** Of a Tally that counted nothing for a while. */
  counted: { type: 'Normal', reason: 'Resumed', message: 'all was counted anew' } satisfies EventRecord,
  /** The date is announced. */
  authorExpires: (when: string): EventRecord => ({ type: 'Warning', reason: 'AuthorExpires', message: when }),
  authorNotSeen: (doing: 'sent' | 'counted', why: string): EventRecord => ({
    type: 'Warning',
    reason: 'AuthorNotSeen',
    message: `nothing is ${doing}: ${why}`,
  }),
  startedAfresh: (why: string): EventRecord => ({
    type: 'Warning',
    reason: 'StartedAfresh',
    message: `${why}; the subscriber was told to forget what it knows, and a fresh snapshot follows`,
  }),
  queueLost: (url: string): EventRecord => ({
    type: 'Warning',
    reason: 'QueueLost',
    message: `there is no queue ${url} any more; another one is made, which begins with a fresh snapshot`,
  }),
  tokenSent: (arn: string): EventRecord => ({
    type: 'Normal',
    reason: 'TokenSent',
    message: `a token was sent to ${arn}: put it into spec.queue.token`,
  }),
  queueRefused: (why: string): EventRecord => ({ type: 'Warning', reason: 'QueueRefused', message: why }),
  queueNotMade: (why: string): EventRecord => ({
    type: 'Warning',
    reason: 'QueueNotMade',
    message: `its queue cannot be made: ${why}`,
  }),
  notPermitted: (why: string): EventRecord => ({
    type: 'Warning',
    reason: 'ConsumersNotPermitted',
    message: `its queue's policy cannot be changed: ${why}`,
  }),
  sendFailed: (why: string): EventRecord => ({
    type: 'Warning',
    reason: 'SendFailed',
    message: `its queue did not take a message: ${why}`,
  }),
} as const;
