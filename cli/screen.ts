import { styleText } from 'node:util';

/** Prints to the terminal, with colours only if the terminal supports them. */
const out = (text = '') => process.stdout.write(`${text}\n`);

export const screen = {
  title: (text: string) => out(`\n${styleText('bold', text)}`),
  say: (text: string) => out(`  ${text}`),
  blank: () => out(),
  /** A command that the reader can type. */
  command: (text: string) => out(`  ${styleText('cyan', '$')} ${styleText('cyan', text)}`),
  answer: (text: string) => out(`      ${text}`),
  event: (type: string, text: string) => out(`    ${styleText('magenta', `<- ${type.padEnd(8)}`)} ${text}`),
  /** A checked answer. */
  check: (holds: boolean, text: string, expected: string) => {
    if (holds) {
      out(`      ${text} ${styleText('green', 'ok')}`);
    } else {
      out(`      ${text} ${styleText('red', `WRONG, expected ${expected}`)}`);
    }
  },
  /** A message that is neither the result nor an error; it goes to standard error. */
  note: (text: string) => process.stderr.write(`${text}\n`),
  error: (text: string) => process.stderr.write(`${styleText('red', text)}\n`),
};
