import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { awsEnvironment, exampleLanguages, startProgram } from '../../support/example-languages.ts';
import { podSpec } from '../../support/pod-spec.ts';
import type { Inbox } from '../../support/service/inbox.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SPEC = { resource: { group: '', resource: 'pods' }, labelSelector: 'app=web', start: 'snapshot' };

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

describe.each(exampleLanguages)('the long poll in $language', ({ language, missing, longPoll }) => {
  const test = missing === undefined ? it : it.skip;
  const because = missing === undefined ? '' : ` (skipped: ${missing})`;
  const name = language.toLowerCase();

  test(`the example prints what enters, changes in and leaves the set, also after an edit and an ERROR${because}`, async () => {
    const { http } = service;
    const path = (pod: string) => `${PODS}/${name}-${pod}`;
    const create = async (pod: string, app: string) => {
      const metadata = { name: `${name}-${pod}`, labels: { app, language: name } };
      return versionOf(await http.post(PODS, { metadata, spec: podSpec() }));
    };
    const relabel = async (pod: string, app: string) =>
      versionOf(await http.merge(path(pod), { metadata: { labels: { app } } }));

    const spec = { ...SPEC, labelSelector: `app=web,language=${name}` };
    const old = await create('old', 'web');
    edits = 1;
    const inbox = await service.subscribe(name, spec);
    const program = startProgram([...longPoll, inbox.queueUrl], awsEnvironment(service));
    try {
      const prints = async (...expected: unknown[]) => {
        const seen = () => program.lines().length >= expected.length || program.errors() !== '';
        await eventually(`the program prints ${expected.at(-1)}`, seen);
        expect([program.lines(), program.errors()]).toEqual([expected, '']);
      };
      const begun = [`ADDED default/${name}-old ${old}`, 'edit 1 is complete'];
      await prints(...begun);

      const other = await create('other', 'db');
      const entered = await relabel('other', 'web');
      const changed = versionOf(await http.merge(path('old'), { metadata: { annotations: { a: 'b' } } }));
      const left = await relabel('other', 'db');
      const told = [
        ...begun,
        `ADDED default/${name}-other ${entered}`,
        `MODIFIED default/${name}-old ${changed}`,
        `DELETED default/${name}-other ${left}`,
      ];
      await prints(...told);
      expect(Number(other)).toBeLessThan(Number(entered));

      // Repeated events, and old events after new ones, print nothing. Versions are integers of any size.
      await send(inbox, 'MODIFIED', `${name}-other`, entered);
      await send(inbox, 'ADDED', 'numbers', '99');
      await send(inbox, 'MODIFIED', 'numbers', '100');
      await send(inbox, 'MODIFIED', 'numbers', '9007199254740992');
      await send(inbox, 'MODIFIED', 'numbers', '9007199254740993');
      await send(inbox, 'MODIFIED', 'numbers', '9007199254740992');
      const numbers = [
        'ADDED default/numbers 99',
        'MODIFIED default/numbers 100',
        'MODIFIED default/numbers 9007199254740992',
        'MODIFIED default/numbers 9007199254740993',
      ];
      await prints(...told, ...numbers);

      // After an edit of the selector, an older version counts as new, because it belongs to a later edit.
      const edit = { spec: { labelSelector: `app=db,language=${name}` } };
      expect((await http.merge(inbox.path, edit)).status).toBe(200);
      const edited = [
        `DELETED default/${name}-old ${left}`,
        `ADDED default/${name}-other ${left}`,
        'edit 2 is complete',
      ];
      await prints(...[...told, ...numbers], ...edited);

      await send(inbox, 'ERROR', '', '', 'gone; a fresh snapshot follows');
      await send(inbox, 'ADDED', 'numbers', '7');
      const anew = ['ERROR gone; a fresh snapshot follows', 'ADDED default/numbers 7'];
      await prints(...told, ...numbers, ...edited, ...anew);
    } finally {
      await program.stop();
    }
  });
});

function versionOf({ body }: { readonly body: { readonly metadata: { readonly resourceVersion: string } } }) {
  return body.metadata.resourceVersion;
}

let sent = 0;
let edits = 1;

function send(inbox: Inbox, ...[type, name, resourceVersion, text]: readonly string[]) {
  const metadata = type === 'ERROR' ? {} : { namespace: 'default', name, resourceVersion };
  const object = { metadata, message: text };
  const edit = { DataType: 'String', StringValue: type === 'ERROR' ? '3' : String(edits) };
  if (type === 'ERROR') edits = 3;
  const message = {
    QueueUrl: inbox.queueUrl,
    MessageBody: JSON.stringify({ type, object }),
    MessageAttributes: { edit },
    MessageGroupId: 'test',
    MessageDeduplicationId: `test-${++sent}`,
  };
  return inbox.sqs.send(new SendMessageCommand(message));
}
