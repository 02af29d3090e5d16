import { valueAt } from '../../lib/json/index.ts';
import type { Client, KubernetesObject } from '../client.ts';
import { changedFields, changeLine, type HistoryItem, restored } from '../history/index.ts';
import { screen } from '../screen.ts';
import type { Checks } from './checks.ts';

const POD = '/api/v1/namespaces/default/pods/guestbook-frontend-1';

/** Shows which change removed a label, and puts the label back. */
export async function showPast(client: Client, checks: Checks): Promise<void> {
  screen.title('8. The change that removed a label, and its undo');
  screen.command('kubectl label pod guestbook-frontend-1 tier-');
  const labels = { metadata: { labels: { tier: null } } };
  await client.merge(`${POD}?fieldManager=kubectl-label`, labels);
  screen.command('bin/winnow.js log pod/guestbook-frontend-1');
  const { items = [] } = await client.ask('GET', `${POD}/history?states=true`);
  const changes = items as unknown as readonly HistoryItem[];
  for (const change of changes) screen.answer(changeLine(change));
  const [last] = changes;
  checks.equal([`${last?.type} ${changedFields(last?.patch ?? [])}`], ['Updated -labels.tier']);
  screen.command('bin/winnow.js undo pod/guestbook-frontend-1');
  const current = (await client.ask('GET', POD)) as unknown as KubernetesObject;
  const written = await client.ask('PUT', POD, restored(current, last?.before ?? current));
  checks.equal([`tier=${valueAt(written, 'metadata.labels.tier')}`], ['tier=frontend']);
}
