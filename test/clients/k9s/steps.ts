import { eventually } from '../../support/eventually.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import type { Server } from '../client.ts';
import type { Screen } from './screen.ts';

const PODS = '/api/v1/namespaces/default/pods';

/** What a user does in k9s, one after the other. */
export const STEPS: Readonly<Record<string, (screen: Screen, server: Server) => Promise<void>>> = {
  'lists, and shows new objects': async (screen, { http }) => {
    await createPod(http, 'web-1', 'front');
    await screen.shows(/Cluster: winnow/, /pods\(default\)\[1\]/, /web-1 .* Pending/);
    await createPod(http, 'web-2', 'front');
    await createPod(http, 'db-1', 'back');
    await screen.shows(/pods\(default\)\[3\]/, /web-2/, /db-1/);
  },
  'a label filter': async (screen) => {
    await screen.enter('/-l tier=front');
    await screen.shows(/pods\(default\)\[2\] <\/tier=front>/, /web-1/, /web-2/);
    await screen.press('Escape');
    await screen.shows(/pods\(default\)\[3\]/);
  },
  'describe, YAML': async (screen) => {
    await screen.press('d');
    await screen.shows(/Describe\(default\/db-1\)/, /Labels: +tier=back/);
    await screen.press('Escape');
    await screen.shows(/pods\(default\)\[3\]/);
    await screen.press('y');
    await screen.shows(/YAML\(default\/db-1\)/, /apiVersion: v1/);
    await screen.press('Escape');
    // Typed at once, what follows would be read as one key with the escape.
    await screen.shows(/pods\(default\)\[3\]/);
  },
  namespaces: async (screen, { http }) => {
    await http.post('/api/v1/namespaces', { metadata: { name: 'shop' } });
    await screen.enter(':ns');
    await screen.shows(/namespaces\(all\)/, /default/, /shop +Active/);
  },
  'other kinds: deployments, subscriptions': async (screen) => {
    await screen.enter(':deployments default');
    await screen.shows(/deployments\(default\)\[0\]/);
    await screen.enter(':subscriptions');
    await screen.shows(/subscriptions\([a-z]+\)\[0\]/, /SELECTOR/);
  },
  delete: async (screen, { http }) => {
    await screen.enter(':pods default');
    await screen.shows(/pods\(default\)\[3\]/);
    await screen.press('C-d');
    await screen.shows(/<Delete>/, /Cancel/);
    // From Cancel, which is focused, to OK.
    await screen.press('Tab');
    await screen.press('Enter');
    await eventually('the pod goes', async () => (await http.names(PODS)).length === 2);
    await screen.shows(/pods\(default\)\[2\]/);
  },
};

async function createPod(http: HttpClient, name: string, tier: string): Promise<void> {
  const containers = [{ name: 'web', image: 'registry.example/web:1' }];
  await http.post(PODS, { metadata: { name, labels: { tier } }, spec: { containers } });
}
