/** The commands about the past: `log`, `diff` and `undo`. */
export { addDiff, addLog, addUndo } from './command.ts';
