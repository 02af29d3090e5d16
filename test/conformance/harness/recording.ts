import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { root } from '../../../infra/bundle/index.ts';

const LEVEL = 9;

/** An oracle's answers, for tests without Go: one line of JSON for each. */
export class Recording<Line> {
  readonly #file: string;

  /** @param name the folder in `test/unit` that has the recording */
  constructor(name: string) {
    this.#file = join(root, 'test/unit', name, 'recorded.jsonl.gz');
  }

  read(): Line[] {
    const lines = gunzipSync(readFileSync(this.#file)).toString('utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  }

  write(recorded: readonly Line[]): void {
    const lines = recorded.map((one) => `${JSON.stringify(one)}\n`).join('');
    writeFileSync(this.#file, gzipSync(lines, { level: LEVEL }));
  }
}
