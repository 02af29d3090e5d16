import type { EventRecord } from './event-of.ts';

/** The Events of a Subscription or Tally, each with its reason. */
export const EVENT_RECORDS = {
  /** Dispatch serves the subscription. */
  synced: (arn: string): EventRecord => ({
    type: 'Normal',
    reason: 'Synced',
    message: `changes are sent to ${arn} as they happen`,
  }),
  /** The last message of an edit was sent. */
  edited: (edit: number, generation: number): EventRecord => ({
    type: 'Normal',
    reason: 'Edited',
    message: `edit ${edit} is complete: the queue has received the difference, and generation ${generation} is in effect`,
  }),
  suspended: (why: string): EventRecord => ({ type: 'Normal', reason: 'Suspended', message: why }),
  resumed: (position: number): EventRecord => ({
    type: 'Normal',
    reason: 'Resumed',
    message:
      position === 0
        ? 'delivery starts with a new snapshot'
        : `delivery continues after resourceVersion ${position}`,
  }),
  /** A Tally counts again after a pause. */
  counted: {
    type: 'Normal',
    reason: 'Resumed',
    message: 'all objects were counted again',
  } satisfies EventRecord,
  /** The author's access ends at an announced date. */
  authorExpires: (when: string): EventRecord => ({ type: 'Warning', reason: 'AuthorExpires', message: when }),
  authorNotSeen: (doing: 'delivery' | 'counting', why: string): EventRecord => ({
    type: 'Warning',
    reason: 'AuthorNotSeen',
    message: `${doing} is suspended: ${why}`,
  }),
  startedAfresh: (why: string): EventRecord => ({
    type: 'Warning',
    reason: 'StartedAfresh',
    message: `${why}; the consumer received an ERROR, and a new snapshot follows`,
  }),
  queueLost: (url: string): EventRecord => ({
    type: 'Warning',
    reason: 'QueueLost',
    message: `queue ${url} does not exist any more; Winnow creates a new one and sends a new snapshot`,
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
    message: `the queue cannot be created: ${why}`,
  }),
  notPermitted: (why: string): EventRecord => ({
    type: 'Warning',
    reason: 'ConsumersNotPermitted',
    message: `the policy of the queue cannot be changed: ${why}`,
  }),
  sendFailed: (why: string): EventRecord => ({
    type: 'Warning',
    reason: 'SendFailed',
    message: `the queue rejected a message: ${why}`,
  }),
} as const;
