import type { JsonObject } from '../../../../lib/json/index.ts';
import type { Dice } from './dice.ts';
import { KEYS, NAMESPACES, NODES, VOCABULARY } from './vocabulary.ts';

export interface NewPod {
  readonly namespace: string;
  readonly body: JsonObject & { metadata: { name: string; labels: Record<string, string> } };
}

const WORDS =
  'cache queue order invoice user session token metric shard region bucket stream worker ledger'.split(' ');

/** Generates pods of 2 to 20 KB with 4 to 15 labels. Most are small, as in a real cluster. */
export function generatePods(dice: Dice, count: number): NewPod[] {
  return Array.from({ length: count }, (_, index) => {
    const labels = randomLabels(dice);
    const metadata = { name: `${labels.app ?? 'job'}-${dice.pick(WORDS)}-${index}`, labels };
    const bytes = 2_048 * 10 ** dice.fraction();
    return { namespace: dice.pick(NAMESPACES), body: { metadata, spec: randomSpec(dice, bytes) } };
  });
}

export function randomLabels(dice: Dice): Record<string, string> {
  const keys = dice.sample(KEYS, dice.between(4, 15));
  return Object.fromEntries(keys.map((key) => [key, dice.pick(VOCABULARY[key] ?? [])]));
}

function randomSpec(dice: Dice, bytes: number): JsonObject {
  const env: JsonObject[] = [];
  for (let size = 400; size < bytes; size += 75) env.push(randomVariable(dice, env.length));
  return {
    nodeName: dice.pick(NODES),
    restartPolicy: dice.pick(['Always', 'OnFailure']),
    containers: [{ name: 'main', image: `registry.example/${dice.pick(WORDS)}:${dice.between(1, 99)}`, env }],
  };
}

function randomVariable(dice: Dice, index: number): JsonObject {
  const words = Array.from({ length: 3 }, () => dice.pick(WORDS)).join('-');
  return {
    name: `${dice.pick(WORDS).toUpperCase()}_${index}`,
    value: `${words}.${dice.between(0, 0xffffffff).toString(16)}.example`,
  };
}
