import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

it.each([
  ['ts', 'examples/typescript/replica.ts'],
  ['python', 'examples/python/long_poll.py'],
])('The README shows the consumer in %s as it is tested: %s', (language, file) => {
  expect(read('README.md')).toContain(`\`\`\`${language}\n${read(file)}\`\`\`\n`);
});
