import { styleText } from 'node:util';

/** What the demo and the server print. Colours only where the terminal shows them. */
const out = (text = '') => process.stdout.write(`${text}\n`);

export const screen = {
  title: (text: string) => out(`\n${styleText('bold', text)}`),
  say: (text: string) => out(`  ${text}`),
  blank: () => out(),
  /** A command as its reader would type it. */
  command: (text: string) => out(`  ${styleText('cyan', '$')} ${styleText('cyan', text)}`),
  answer: (text: string) => out(`      ${text}`),
  event: (type: string, text: string) => out(`    ${styleText('magenta', `<- ${type.padEnd(8)}`)} ${text}`),
  /** An answer that was checked. */
  check: (holds: boolean, text: string, expected: string) => {
    if (holds) {
      out(`      ${text} ${styleText('green', 'ok')}`);
    } else {
      out(`      ${text} ${styleText('red', `WRONG, expected ${expected}`)}`);
    }
  },
  error: (text: string) => process.stderr.write(`${styleText('red', text)}\n`),
};
