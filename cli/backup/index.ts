export { addExport } from './export-command.ts';
export { addImport } from './import-command.ts';
