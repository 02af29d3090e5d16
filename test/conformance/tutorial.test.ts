import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from '../../infra/bundle/index.ts';
import { eventually } from '../support/eventually.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Running } from './harness/terminal.ts';

/** A block of docs/tutorial.md that this test carries out. */
interface Block {
  /** How its commands are carried out. Those that `become` are repeated until they print what the page shows. */
  readonly kind: 'runs' | 'becomes' | 'keeps running' | 'prints';
  readonly text: string;
}

const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
const blocks = [
  ...page.matchAll(/^<!-- (runs|becomes|keeps running|prints) -->\n```console\n(.*?)^```$/gms),
].map(([, kind, text = '']) => ({ kind, text }) as Block);

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster?.stop());

/** A command of the page, for the folder and the server of this test. */
function forTest(command: string): string {
  return `cd ${root} && ${command.replace('http://127.0.0.1:8080', cluster.service.winnow.url)}`;
}

/** The commands of a block, each with the lines that it prints. */
function commandsOf(text: string): readonly (readonly [command: string, prints: string])[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...prints] = part.trimEnd().split('\n');
      return [command, prints.join('\n')] as const;
    });
}

it('Each command of the tutorial prints what the page shows', async () => {
  const consumers: Running[] = [];
  const seen: string[] = [];
  for (const { kind, text } of blocks) {
    switch (kind) {
      case 'runs':
        for (const [command, prints] of commandsOf(text)) {
          const { output } = await cluster.terminal.either(forTest(command));
          expect(trimmed(output)).toBe(prints);
        }
        break;
      case 'becomes':
        for (const [command, prints] of commandsOf(text)) {
          const isThere = async () =>
            trimmed((await cluster.terminal.either(forTest(command))).output) === prints;
          await eventually(`$ ${command} prints ${prints}`, isThere);
        }
        break;
      case 'keeps running':
        for (const [command, prints] of commandsOf(text)) {
          const consumer = cluster.terminal.start(forTest(command));
          consumers.push(consumer);
          seen.push(...prints.split('\n'));
          await consumer.until((output) => output.length >= seen.length);
        }
        break;
      case 'prints':
        seen.push(...text.trimEnd().split('\n'));
        await consumers[0]?.until((output) => output.length >= seen.length);
        // Not at the end: the clean-up deletes objects, which the consumer may print.
        expect(consumers[0]?.output).toEqual(seen);
        break;
      default:
        kind satisfies never;
    }
  }
  for (const consumer of consumers) consumer.end();
  expect(blocks.length).toBe(10);
}, 120_000);

/** The lines of an output without blanks at their ends. */
function trimmed(output: string): string {
  return output
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
