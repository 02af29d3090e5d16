/** The table and the queues. */
export { Queues } from './queues.ts';
export { setAside } from './set-aside.ts';
export { Table } from './table.ts';
