import assert from 'node:assert/strict';
import type { HttpClient } from '../../support/service/http-client.ts';
import { PODS, type Step } from '../trial.ts';

/** Selectors of the Kubernetes documentation and what they select in test/fixtures/pods.yaml. */
const SELECTED: readonly (readonly [string, readonly string[]])[] = [
  ['environment=production,tier=frontend', ['guestbook-frontend-1', 'guestbook-frontend-2']],
  [
    'environment in (production, qa),tier in (frontend)',
    ['guestbook-frontend-1', 'guestbook-frontend-2', 'guestbook-frontend-qa'],
  ],
  [
    'partition,environment notin (qa)',
    ['guestbook-backend', 'guestbook-frontend-1', 'guestbook-frontend-2', 'redis-dev'],
  ],
  ['environment,!partition', ['guestbook-backend-qa', 'label-demo', 'redis-leader']],
  ['app=nobody', []],
];

export const list: Step = {
  name: 'LIST by selector, in pages',
  run: async ({ deployment }) => {
    const { http, terminal } = deployment;
    for (const [selector, names] of SELECTED) {
      assert.deepEqual((await pages(http, selector)).names, names, selector);
      const shown = await terminal.lines(`kubectl get pods -o name --chunk-size=2 -l '${selector}'`);
      assert.deepEqual(
        shown,
        names.map((name) => `pod/${name}`),
        selector,
      );
    }
    const { names, count } = await pages(http, '', () =>
      http.merge(`${PODS}/label-demo`, { metadata: { labels: { page: '2' } } }),
    );
    assert.equal(names.length, 10);
    return `${SELECTED.length} selectors; ${count} pages of one state`;
  },
};

/** Reads a list two by two; `between` happens after its first page, and must not show. */
async function pages(http: HttpClient, labelSelector: string, between?: () => Promise<unknown>) {
  const names: string[] = [];
  const versions = new Set<string>();
  let count = 0;
  let next = '';
  do {
    const query = new URLSearchParams({ labelSelector, limit: '2', continue: next });
    const { items, body } = await http.get(`${PODS}?${query}`);
    for (const { metadata } of items) {
      names.push(metadata.name);
      assert.equal(metadata.labels?.page, undefined, `${metadata.name} is of a later state`);
    }
    versions.add(body.metadata.resourceVersion);
    next = String(body.metadata.continue ?? '');
    count += 1;
    if (count === 1) await between?.();
  } while (next !== '');
  assert.equal(versions.size, 1, 'the pages are of different states');
  return { names, count };
}
