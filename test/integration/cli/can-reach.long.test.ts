import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../../lib/json/index.ts';
import { winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

interface Manifest extends JsonObject {
  kind: string;
  metadata: { name: string; namespace: string };
}

/** A block of docs/reachability.md: objects, or a command with its output. */
type Block =
  | { readonly objects: readonly Manifest[] }
  | { readonly command: readonly string[]; readonly prints: string };

const PATHS: Readonly<Record<string, (namespace: string) => string>> = {
  Namespace: () => '/api/v1/namespaces',
  Pod: (namespace) => `/api/v1/namespaces/${namespace}/pods`,
  NetworkPolicy: (namespace) => `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`,
};
const PROGRAM = '$ bin/winnow.js ';

const page = readFileSync(join(import.meta.dirname, '../../../docs/reachability.md'), 'utf8');
const pathOf = ({ kind, metadata }: Manifest) => PATHS[kind]?.(metadata.namespace) ?? '';

function readBlocks(): Block[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, language, text = '']): Block[] => {
    if (language === 'yaml') {
      return [{ objects: parseAllDocuments(text).map((one) => one.toJS() as Manifest) }];
    }
    return text.split(/^(?=\$ )/m).flatMap((part): Block[] => {
      const [line = '', ...prints] = part.split('\n');
      if (!line.startsWith(PROGRAM)) return [];
      return [{ command: line.slice(PROGRAM.length).split(' '), prints: prints.join('\n') }];
    });
  });
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('winnow can-reach', () => {
  it('winnow can-reach prints the output in docs/reachability.md for the policies above it', async () => {
    let policies: readonly Manifest[] = [];
    let ran = 0;
    for (const block of readBlocks()) {
      if ('objects' in block) {
        for (const one of policies) await service.http.delete(`${pathOf(one)}/${one.metadata.name}`);
        policies = block.objects.filter(({ kind }) => kind === 'NetworkPolicy');
        for (const one of block.objects) await service.http.post(pathOf(one), one);
      } else {
        const { code, out, errors } = await winnow(...block.command, '--url', service.winnow.url);
        const expected = { code: block.prints.startsWith('yes') ? 0 : 1, out: block.prints, errors: '' };
        expect({ command: block.command, code, out, errors }).toEqual({
          command: block.command,
          ...expected,
        });
        ran += 1;
      }
    }
    expect(ran).toBeGreaterThan(15);
  });

  it('winnow can-reach prints the review as JSON', async () => {
    const asked = ['can-reach', 'pod/frontend', '[2001:db8::1]:443', '--ip-family', 'IPv6', '-o', 'json'];
    const { code, out } = await winnow(...asked, '--url', service.winnow.url);
    expect(JSON.parse(out)).toMatchObject({
      kind: 'ReachabilityReview',
      spec: { from: { namespace: 'default', name: 'frontend' }, to: { ip: '2001:db8::1' }, port: 443 },
      status: { decision: 'Allowed' },
    });
    expect(code).toBe(0);
  });

  it.each([
    [['db', 'pod/db:80'], 'db is not an end: use pod/NAME'],
    [['pod/db', 'pod/db'], 'pod/db has no port: use pod/NAME:PORT'],
    [['pod/db', '2001:db8::1'], '2001:db8::1 has no port: use pod/NAME:PORT'],
    [['pod/nobody', 'pod/db:80'], 'spec.from.name: Not found: "nobody"'],
  ])('winnow can-reach refuses %j with a clear message', async (ends, says) => {
    const { code, errors } = await winnow('can-reach', ...ends, '--url', service.winnow.url);
    expect([code, errors]).toEqual([1, expect.stringContaining(says)]);
  });
});
