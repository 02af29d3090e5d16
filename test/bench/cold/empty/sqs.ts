import type { Requests } from '../cold-start.ts';
import { send } from './queue.ts';

export const handler = ({ sqs }: Requests): Promise<void> => send(sqs);
