/** The commands about the past: `log`, `diff` and `undo`. */
export { changedFields, changeLine } from './change-line.ts';
export { addDiff, addLog, addUndo } from './command.ts';
export type { HistoryItem } from './read-history.ts';
export { restored } from './restored.ts';
