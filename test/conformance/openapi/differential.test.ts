import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadComponents } from '../../../lib/kubernetes/openapi/index.ts';
import { resourceTypes } from '../../../lib/kubernetes/resource-types/index.ts';
import { openApi } from '../../../lib/server/documents/openapi.ts';
import { GoOracle } from '../harness/go-oracle.ts';

const VERSION = '1.33.2';
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

const oracle = new GoOracle('openapi');

async function bodyOf(path: string, accept?: string): Promise<string | Uint8Array> {
  const components = await loadComponents();
  const found = openApi(path, { query: new URLSearchParams(), accept, types: resourceTypes, components });
  if (found === undefined) throw new Error(`there is no document at ${path}`);
  return found.body;
}

describe('The OpenAPI documents', () => {
  beforeAll(() => oracle.build(), 300_000);

  it('The packages of Kubernetes’ clients read the documents, which describe its kinds as kube-apiserver does', async () => {
    const { paths } = JSON.parse(String(await bodyOf('/openapi/v3')));
    const documents: Record<string, string> = {};
    for (const path of Object.keys(paths)) documents[path] = String(await bodyOf(`/openapi/v3/${path}`));
    const json = String(await bodyOf('/openapi/v2'));
    const protobuf = Buffer.from((await bodyOf('/openapi/v2', PROTOBUF)) as Uint8Array).toString('base64');
    const [answer] = oracle.ask([{ protobuf, json, documents }], VERSION);
    expect(answer).toEqual({
      models: Object.keys(JSON.parse(json).definitions).length,
      same: expect.any(Number),
      differing: [],
      unstable: [],
    });
    expect((answer as { same: number }).same).toBeGreaterThan(500);
  }, 120_000);
});
