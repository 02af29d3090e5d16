import { styleText } from 'node:util';
import { screen } from '../screen.ts';
import type { Listener, Outcome } from './take-step.ts';

const COLOURS = { ok: 'green', wrong: 'red', 'not checked': 'yellow' } as const;
const WIDTH = 26;
/** How often a terminal shows the duration of the current step, in ms. */
const TICK = 200;

/** Prints a line for each step as it ends, and on a terminal also the current step. */
export class Report implements Listener {
  #timer: NodeJS.Timeout | undefined;

  head(url: string): void {
    screen.title(`Examining ${url}`);
    screen.blank();
  }

  begin(step: string): void {
    if (!process.stdout.isTTY) return;
    const began = performance.now();
    const show = () => rewrite(`  ${step.padEnd(WIDTH)} ${formatSeconds(performance.now() - began)}  …`);
    show();
    this.#timer = setInterval(show, TICK);
  }

  end({ step, seconds, result, note }: Outcome): void {
    clearInterval(this.#timer);
    if (process.stdout.isTTY) rewrite('');
    const label = styleText(COLOURS[result], result.padEnd(11));
    screen.say(`${step.padEnd(WIDTH)} ${formatSeconds(seconds * 1_000)}  ${label}  ${note}`);
  }

  /** Prints the advice for each fault, and a summary. Returns whether every check succeeded. */
  verdict(outcomes: readonly Outcome[]): boolean {
    const faults = outcomes.filter(({ fault }) => fault !== undefined);
    for (const { step, fault } of faults) {
      screen.title(`${step}: what to do`);
      for (const line of fault?.help ?? []) screen.say(line);
    }
    screen.blank();
    const unchecked = outcomes.filter(({ result }) => result === 'not checked').map(({ step }) => step);
    const left = unchecked.length > 0 ? ` Not checked: ${unchecked.join(', ')}.` : '';
    const wrong = faults.map(({ step }) => step).join(', ');
    if (wrong === '') {
      screen.say(`${styleText('green', 'Every check succeeded.')}${left}`);
    } else {
      screen.say(`${styleText('red', `Wrong: ${wrong}.`)}${left}`);
    }
    return wrong === '';
  }
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`.padStart(7);
}

function rewrite(line: string): void {
  process.stdout.clearLine(0);
  process.stdout.cursorTo(0);
  process.stdout.write(line);
}
