import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { startProgram } from '../../support/example-languages.ts';
import { winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

const LAUNCHER = join(import.meta.dirname, '../../../bin/winnow.js');
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';

/** The first output of winnow tail on standard error. */
const BEGINNING =
  /^Following the Subscription default\/\w+: .* with labelSelector .*\. Press Ctrl-C to stop\.\n$/;

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

const put = (name: string, site: string) =>
  service.http.post(CONFIGMAPS, { metadata: { name, labels: { site } } });
const label = async (name: string, site: string) =>
  (await service.http.merge(`${CONFIGMAPS}/${name}`, { metadata: { labels: { site } } })).body.metadata
    .resourceVersion;

const start = (...parameters: string[]) => {
  const command = [process.execPath, LAUNCHER, 'tail', ...parameters, '--url', service.winnow.url];
  const program = startProgram(command, { ...process.env, NO_COLOR: '1' });
  const prints = async (...lines: unknown[]) => {
    await eventually(
      `it prints ${lines.at(-1)}`,
      () => program.lines().length >= lines.length || program.hasEnded(),
    );
    expect([program.lines(), program.errors()]).toEqual([lines, expect.stringMatching(BEGINNING)]);
  };
  return { ...program, prints };
};

it('winnow tail prints present objects and changes, as text or JSON, and removes nothing from the queue', async () => {
  await put('here', 'north');
  const inbox = await service.subscribe('north', {
    resource: { group: '', resource: 'configmaps' },
    labelSelector: 'site=north',
    start: 'now',
  });
  const words = start('north', '--snapshot');
  const json = start('north', '--snapshot', '--output', 'json');
  try {
    await eventually('both have begun', () => words.lines().length + json.lines().length === 2);
    const entered = (await put('cam', 'north')).body.metadata.resourceVersion;
    const moved = await label('cam', 'south');
    await words.prints(
      expect.stringMatching(/^entered {2}default\/here {2}resourceVersion \d+$/),
      `entered  default/cam  resourceVersion ${entered}`,
      `left     default/cam  resourceVersion ${moved}`,
    );
    const events = () => json.lines().map((line) => JSON.parse(line));
    await eventually('the same as JSON', () => json.lines().length >= 3);
    expect(events().map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'ADDED here',
      'ADDED cam',
      'DELETED cam',
    ]);
    const received = await inbox.read().until(({ length }) => length >= 2);
    expect(received.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
  } finally {
    expect(await words.interrupt()).toBe(0);
    await json.stop();
  }
});

it('winnow tail follows an edit, and relabelled namespaces, at once', async () => {
  const namespaces = '/api/v1/namespaces';
  for (const name of ['rome', 'oslo']) {
    await service.http.post(namespaces, {
      metadata: { name, labels: { zone: name === 'rome' ? 'eu' : 'none' } },
    });
  }
  await service.subscribe('eu', {
    resource: { group: '', resource: 'configmaps' },
    labelSelector: 'site=eu',
    namespaceSelector: { matchLabels: { zone: 'eu' } },
    start: 'now',
  });
  const add = (namespace: string, name: string, site: string) =>
    service.http.post(`${namespaces}/${namespace}/configmaps`, { metadata: { name, labels: { site } } });
  const words = start('eu', '--snapshot');
  const line = (name: string) => expect.stringMatching(new RegExp(`^entered {2}${name} `));
  try {
    await add('rome', 'a', 'eu');
    await words.prints(line('rome/a'));
    await service.http.merge(`${namespaces}/oslo`, { metadata: { labels: { zone: 'eu' } } });
    await eventually('it says so', () =>
      words.errors().includes('selects from other namespaces: oslo, rome'),
    );
    await add('oslo', 'b', 'eu');
    await eventually('it tells of the other one', () => words.lines().length === 2);
    await service.http.merge('/apis/winnow.dev/v1/namespaces/default/subscriptions/eu', {
      spec: { labelSelector: 'site=all' },
    });
    await eventually('it says that, too', () => words.errors().includes('the Subscription was edited'));
    await add('oslo', 'c', 'all');
    await eventually('it tells of what is selected now', () => words.lines().length === 3);
    expect(words.lines()).toEqual([line('rome/a'), line('oslo/b'), line('oslo/c')]);
    // Changes of the Subscription's status print nothing.
    expect(words.errors().trim().split('\n')).toHaveLength(3);
  } finally {
    await words.stop();
  }
});

it('winnow tail reports a missing Subscription and exits with 1', async () => {
  const { code, errors } = await winnow('tail', 'none', '--url', service.winnow.url);
  expect({ code, errors }).toEqual({
    code: 1,
    errors:
      'the Subscription none does not exist in namespace default\nList them: kubectl get subscriptions --all-namespaces.\n',
  });
});
