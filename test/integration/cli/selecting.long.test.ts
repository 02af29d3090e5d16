import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

const CORE = '/api/v1/namespaces/default';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let service: Service;

beforeAll(async () => {
  service = await startService();
  const containers = [{ name: 'c', image: 'i' }];
  for (const name of ['web-1', 'web-2']) {
    await service.http.post(`${CORE}/pods`, {
      metadata: { name, labels: { app: 'web' } },
      spec: { containers },
    });
  }
  await service.http.post(`${CORE}/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
});

afterAll(() => service.stop());

const run = (...parameters: string[]) => winnow(...parameters, '--url', service.winnow.url);

describe('winnow who-selects', () => {
  it('winnow who-selects prints the objects that select an object', async () => {
    const { code, out, errors } = await run('who-selects', 'pod/web-1');
    expect([code, errors]).toEqual([0, '']);
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['KIND', 'NAMESPACE', 'NAME', 'SELECTOR'],
      ['Service', 'default', 'web', 'app=web'],
      [''],
    ]);
  });

  it('winnow who-selects reports that nothing selects an object', async () => {
    expect(await run('who-selects', 'svc/web')).toEqual({
      code: 0,
      out: '',
      errors: 'nothing selects svc/web\n',
    });
  });

  it('winnow who-selects finds objects of custom kinds', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await service.http.post(DEFINITIONS, {
      metadata: { name: 'fleets.example.com', annotations: { 'winnow.dev/selects': 'pods=.spec.over' } },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'fleets', singular: 'fleet', kind: 'Fleet' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await service.http.post('/apis/example.com/v1/namespaces/default/fleets', {
      apiVersion: 'example.com/v1',
      kind: 'Fleet',
      metadata: { name: 'one' },
      spec: { over: 'app in (web)' },
    });
    expect((await run('who-selects', 'pod/web-1')).out).toContain('Fleet');
    expect((await run('members', 'fleet.example.com/one')).out).toContain('web-2');
  });

  it.each([
    ['web-1', 'web-1 does not name an object: use TYPE/NAME, such as pod/web-1'],
    ['thing/x', 'the server has no type thing: see kubectl api-resources'],
  ])('winnow who-selects refuses %s', async (object, says) => {
    const { code, errors } = await run('who-selects', object);
    expect([code, errors]).toEqual([1, expect.stringContaining(says)]);
  });

  it.each([
    ['pod/nope', 'pod "nope" not found in namespace shop', 'kubectl get pod --namespace shop'],
    ['node/nope', 'node "nope" not found', 'kubectl get node'],
  ])('winnow who-selects reports that %s does not exist', async (object, what, command) => {
    const { code, errors } = await run('who-selects', object, '-n', 'shop');
    expect([code, errors]).toEqual([1, `${what}\nList those that exist: ${command}.\n`]);
  });
});

describe('winnow members', () => {
  it('winnow members prints the objects that an object selects', async () => {
    const { code, out } = await run('members', 'service/web');
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['NAMESPACE', 'NAME', 'LABELS'],
      ['default', 'web-1', 'app=web'],
      ['default', 'web-2', 'app=web'],
      [''],
    ]);
  });
});

describe('a watch of the subresource selected', () => {
  const selected = `${CORE}/services/watched/selected`;
  const events = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('the watch sends the members and their changes, and 410 when the selector changes', async () => {
    await service.http.post(`${CORE}/services`, {
      metadata: { name: 'watched' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    const { body } = await fetch(`${service.winnow.url}${selected}?watch=true`);
    const decoder = new TextDecoder();
    let text = '';
    let isChanged = false;
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (isChanged || events(text.slice(0, text.lastIndexOf('\n') + 1)).length < 2) continue;
      isChanged = true;
      await service.http.merge(`${CORE}/services/watched`, { spec: { selector: { app: 'db' } } });
    }
    expect(events(text).map(({ type, object }) => [type, object.code ?? object.metadata.name])).toEqual([
      ['ADDED', 'web-1'],
      ['ADDED', 'web-2'],
      ['ERROR', 410],
    ]);
  });

  it('the watch cannot start at a resourceVersion, because that does not identify a selector', async () => {
    const { status } = await fetch(`${service.winnow.url}${selected}?watch=true&resourceVersion=2`);
    expect(status).toBe(410);
  });
});

describe('winnow facets', () => {
  it("winnow facets prints the server's message about a bad label key", async () => {
    const { code, errors } = await run('facets', 'pods', 'bad key');
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(
        /^facets: "bad key" is not a valid label key: .*\nCorrect the command and try again\.\n$/,
      ),
    ]);
  });

  it('winnow facets counts objects by the values of their labels', async () => {
    const { code, out, errors } = await run('facets', 'po', 'app', 'tier', '-l', 'app');
    expect([code, errors]).toEqual([0, 'total: 2\n']);
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['LABEL', 'VALUE', 'COUNT'],
      ['app', 'web', '2'],
      ['tier', '<none>', '2'],
      [''],
    ]);
  });

  it('winnow facets without label keys counts every key, and with --joint prints a matrix', async () => {
    expect((await run('facets', 'pods')).out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['LABEL', 'VALUE', 'COUNT'],
      ['app', 'web', '2'],
      [''],
    ]);
    const { out } = await run('facets', 'pods', 'app', 'tier', '--joint');
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['APP \\ TIER', '<none>'],
      ['web', '2'],
      [''],
    ]);
    const { code, errors } = await run('facets', 'pods', 'app', '--joint');
    expect([code, errors]).toEqual([1, expect.stringContaining('joint: name 2 to 4 label keys')]);
  });

  it('winnow facets reports an unknown type, and prints the raw response as JSON', async () => {
    expect((await run('facets', 'things', 'app')).errors).toContain('the server has no type things');
    const { out } = await run('facets', 'deployments.apps', 'app', '-A', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({ kind: 'Facets', count: 0 });
  });
});
