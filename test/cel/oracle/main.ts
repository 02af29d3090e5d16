import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Dice } from '../../integration/service/realistic/dice.ts';
import { type Answer, difference, ownOracle } from './ask.ts';
import { generate } from './generate.ts';
import { oracleSetting } from './subject.ts';

/**
 * Compares Winnow's CEL with kube-apiserver's for random expressions: type, estimate, value and runtime cost. Exit code 1
 * if an answer differs.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '5000' },
    /** Reads expressions from a file, one a line, instead of writing random ones. */
    file: { type: 'string' },
    /** Writes kube-apiserver's answers to a file. test/unit/cel replays them. */
    record: { type: 'string' },
  },
});
/** The number of differences that are printed. */
const SHOWN = 20;

if (spawnSync('go', ['version']).status !== 0) {
  console.error('The oracle is a program in Go. Install Go (https://go.dev/dl) and run this command again.');
  process.exit(2);
}
const expressions =
  values.file === undefined
    ? expressionsOf(Number(values.seed), Number(values.count))
    : readFileSync(values.file, 'utf8').trimEnd().split('\n');
const upstream = askUpstream(expressions);
const own = await ownOracle();
let differences = 0;
let valid = 0;
for (const [at, expression] of expressions.entries()) {
  const expected = upstream[at] ?? {};
  if (expected.issues === undefined) valid += 1;
  const answer = own(expression);
  const part = difference(expected, answer);
  if (part === undefined) continue;
  differences += 1;
  if (differences > SHOWN) continue;
  console.log(`${part} differs: ${expression}`);
  console.log(`  kube-apiserver ${JSON.stringify(expected)}`);
  console.log(`  Winnow         ${JSON.stringify(answer)}`);
}
console.log(`${expressions.length} expressions, ${valid} of them valid: ${differences} answers differ`);
if (values.record !== undefined) record(values.record);
process.exit(differences === 0 ? 0 : 1);

/** Writes the expressions with upstream's answers, without the texts of errors. */
function record(file: string): void {
  const lines = expressions.map((expression, at) => {
    const entries = Object.entries(upstream[at] ?? {});
    const short = entries.map(([key, value]) => [key, isMessage(key) ? shortened(value) : value]);
    return JSON.stringify([expression, Object.fromEntries(short)]);
  });
  writeFileSync(file, gzipSync(lines.join('\n'), { level: 9 }));
}

function isMessage(key: string): boolean {
  return ['issues', 'program', 'error', 'panic'].includes(key);
}

/** Keeps what `difference` reads of a message. */
function shortened(message: string): string {
  return /cost limit|internal error/.exec(message)?.[0] ?? '-';
}

function expressionsOf(seed: number, count: number): string[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, () => generate(dice));
}

/** Builds the oracle and asks it. */
function askUpstream(asked: readonly string[]): Answer[] {
  const folder = import.meta.dirname;
  const built = join(folder, '../../../dist/cel-oracle');
  mkdirSync(built, { recursive: true });
  const program = join(built, 'oracle');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: folder, stdio: 'inherit' });
  const input = [oracleSetting(), ...asked.map((expression) => JSON.stringify(expression))];
  const output = execFileSync(program, { input: `${input.join('\n')}\n`, maxBuffer: 2 ** 30 }).toString();
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}
