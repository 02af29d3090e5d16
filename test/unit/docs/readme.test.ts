import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

it.each(['device.ts', 'follow.ts'])(
  'The README shows %s of the tutorial, which the conformance tests run',
  (file) => {
    const page = read('docs/typed-client.md');
    const [, program = ''] = new RegExp(`^\`\`\`ts file=${file}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
    expect(program).toContain('@winnow-dev/client/objects');
    expect(read('README.md')).toContain(`\`\`\`ts\n${program}\`\`\`\n`);
  },
);
