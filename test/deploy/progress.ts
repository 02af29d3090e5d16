/** How often a step's progress is printed where lines cannot be rewritten, in milliseconds. */
const EVERY = 10_000;

/** Shows what goes on: one line a step, with how far it is. */
export class Progress {
  readonly #out = process.stdout;
  #line = '';
  #printed = 0;

  begin(line: string): void {
    this.#line = line;
    this.#printed = performance.now();
    this.#out.write(this.#out.isTTY ? line : `${line}\n`);
  }

  /** Far more often than it is shown. */
  note(text: string): void {
    if (this.#out.isTTY) {
      this.#rewrite(`${this.#line}  ${text}`);
    } else if (performance.now() - this.#printed > EVERY) {
      this.#printed = performance.now();
      this.#out.write(`    ${text}\n`);
    }
  }

  end(text: string): void {
    if (this.#out.isTTY) {
      this.#rewrite(`${this.#line}  ${text}\n`);
    } else {
      this.#out.write(`    ${text}\n`);
    }
  }

  say(text: string): void {
    this.#out.write(`${text}\n`);
  }

  #rewrite(line: string): void {
    this.#out.clearLine(0);
    this.#out.cursorTo(0);
    this.#out.write(line);
  }
}
