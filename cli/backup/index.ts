/** The commands `export` and `import`. */
export { addExport } from './export-command.ts';
export { addImport } from './import-command.ts';
