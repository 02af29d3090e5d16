import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { jsonSizeOf } from '../../../lib/json/json-size.ts';
import { WORST_BODIES } from '../../support/store/worst-bodies.ts';

/**
 * Decodes the text on its standard input a few times and prints the heap size of one copy: the median of three
 * measurements, because other work of the process now and then distorts one of them.
 */
const MEASURE = `
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const looks = [];
  for (let look = 0; look < 3; look += 1) {
    const kept = Array(5).fill(JSON.parse(bytes.toString()));
    gc(); gc();
    const before = process.memoryUsage().heapUsed;
    for (let copy = 1; copy <= 4; copy += 1) kept[copy] = JSON.parse(bytes.toString());
    gc(); gc();
    looks.push((process.memoryUsage().heapUsed - before) / 4);
    kept.fill(undefined);
  }
  console.log(looks.sort((one, other) => one - other)[1]);`;

async function measuredHeap(text: string): Promise<number> {
  const running = promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '-e',
    MEASURE,
  ]);
  running.child.stdin?.end(text);
  return Number((await running).stdout);
}

const pod = (index: number) => ({
  metadata: { name: `web-${index}`, labels: { app: 'web', tier: 'frontend' } },
  spec: { containers: [{ name: 'c', image: 'nginx:1.27', ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
  status: { phase: 'Running', podIP: `10.0.0.${index % 256}` },
});

describe('The heap size of a value', () => {
  it.each(Object.entries(WORST_BODIES))('The heap size is not above the estimate: %s', async (_, body) => {
    const text = JSON.stringify(body);
    const { heap } = jsonSizeOf(body, text);
    const measured = await measuredHeap(text);
    expect(measured).toBeLessThanOrEqual(heap);
    expect(heap).toBeLessThan(13 * 2 ** 20);
  });

  it('The heap size of ordinary values is not far below the estimate', async () => {
    const pods = Array.from({ length: 2_000 }, (_, index) => pod(index));
    const { heap } = jsonSizeOf(pods);
    const measured = await measuredHeap(JSON.stringify(pods));
    expect(measured).toBeLessThanOrEqual(heap);
    expect(heap).toBeLessThan(3 * measured);
  });
});
