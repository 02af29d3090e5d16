import { readFileSync } from 'node:fs';

const NEWLINE = 10;

/** The lines of a file, each a string of its own: a part of a longer string would keep all of it in memory. */
export function readLines(file: string): string[] {
  const bytes = readFileSync(file);
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    lines.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return lines;
}

/** The first column of each line: selectors as text. */
export function readSelectors(file: string): string[] {
  const bytes = readFileSync(file);
  const selectors: string[] = [];
  for (let start = 0; start < bytes.length; start = bytes.indexOf(NEWLINE, start) + 1) {
    selectors.push(bytes.toString('utf8', start, bytes.indexOf('\t', start)));
  }
  return selectors;
}
