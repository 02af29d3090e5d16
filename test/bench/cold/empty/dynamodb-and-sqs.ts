import type { Requests } from '../cold-start.ts';
import { send } from './queue.ts';
import { read } from './table.ts';

export async function handler({ dynamodb, sqs }: Requests): Promise<void> {
  await read(dynamodb);
  await send(sqs);
}
