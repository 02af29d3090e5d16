import type { Requests } from '../cold-start.ts';
import { read } from './table.ts';

export const handler = ({ dynamodb }: Requests): Promise<void> => read(dynamodb);
