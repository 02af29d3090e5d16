import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';

/** The queue that receives a Subscription's changes. */
export interface QueueSpec {
  readonly fifo: boolean;
  /** The ARN of the author's own queue; `''` if Winnow creates the queue. */
  readonly queueArn: string;
  /** The token from the queue, which proves that the author may read it. */
  readonly queueToken: string;
}

type Note = (errors: readonly FieldError[]) => void;

const ARN = /^arn:[a-z0-9-]+:sqs:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,80}(\.fifo)?$/;
const TYPES = ['FIFO', 'Standard'];

/** Reads `spec.queue`. Errors are noted. */
export function readQueue(value: JsonValue | undefined, note: Note): QueueSpec {
  if (!isJsonObject(value ?? {})) {
    note([{ type: 'TypeInvalid', field: 'spec.queue', value, detail: 'must be an object' }]);
  }
  const queue = objectAt(value);
  const unknown = Object.keys(queue).filter((field) => !['type', 'arn', 'token'].includes(field));
  note(unknown.map((field) => invalid(`spec.queue.${field}`, field, 'unknown field')));
  return (queue.arn ?? null) === null ? readMade(queue, note) : readOwn(queue, note);
}

function readMade({ type, token }: JsonObject, note: Note): QueueSpec {
  const wanted = type ?? 'FIFO';
  if (!TYPES.includes(String(wanted))) {
    const detail = `supported values: ${TYPES.map((one) => JSON.stringify(one)).join(', ')}`;
    note([{ type: 'NotSupported', field: 'spec.queue.type', value: wanted, detail }]);
  }
  if ((token ?? null) !== null) {
    note([forbidden('spec.queue.token', 'the token proves access to a user-owned queue: set arn too')]);
  }
  return { fifo: wanted !== 'Standard', queueArn: '', queueToken: '' };
}

function readOwn({ type, arn, token }: JsonObject, note: Note): QueueSpec {
  if (typeof arn !== 'string' || !ARN.test(arn)) {
    note([invalid('spec.queue.arn', arn, 'must be the ARN of an SQS queue')]);
  }
  if ((type ?? null) !== null) {
    note([
      forbidden(
        'spec.queue.type',
        'a user-owned queue is FIFO if its name ends with .fifo, otherwise Standard',
      ),
    ]);
  }
  if (typeof (token ?? '') !== 'string') {
    note([{ type: 'TypeInvalid', field: 'spec.queue.token', value: token, detail: 'must be a string' }]);
  }
  return { fifo: String(arn).endsWith('.fifo'), queueArn: String(arn), queueToken: String(token ?? '') };
}

const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  value,
  detail,
});

const forbidden = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail });
