import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import {
  AlreadyExistsError,
  absent,
  ConflictError,
  type ConnectOptions,
  connect,
  ExpiredError,
  InvalidError,
  type Kind,
  NotFoundError,
  not,
  OutcomeUnknownError,
  resource,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  type WatchEvent,
} from '../../../lib/client/objects/index.ts';
import { run } from '../../support/service/run-cli.ts';
import { startTamperingProxy, type Tampering } from '../../support/service/tampering-proxy.ts';
import { Device } from '../../unit/client/objects/fleet.ts';
import { type FleetService, startFleetService } from './fleet-service.ts';

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
});

afterEach(() => {
  fleet.proxy.tamper = () => undefined;
});

afterAll(() => fleet.stop());

/** The devices of one test, in a namespace of its own. */
async function devicesIn(namespace: string) {
  await fleet.service.http.post('/api/v1/namespaces', { metadata: { name: namespace } });
  return fleet.proxied.objects(Device, { namespace });
}

/** Tampers with the next requests of a method, one after another. */
function tamperNext(method: string, ...tamperings: Tampering[]): void {
  fleet.proxy.tamper = (sent) => (sent === method ? tamperings.shift() : undefined);
}

const failure = (request: Promise<unknown>) => request.then(() => undefined).catch((error) => error);
const device = (name: string, labels: Record<string, string> = {}) => ({
  metadata: { name, labels },
  spec: { model: 'x2' },
});

describe('A collection', () => {
  it('A collection creates, reads, changes and deletes an object', async () => {
    const devices = await devicesIn('lives');
    const created = await devices.create(device('cam', { site: 'north' }));
    expect(created).toMatchObject({
      apiVersion: 'fleet.example/v1',
      kind: 'Device',
      metadata: { name: 'cam', namespace: 'lives', labels: { site: 'north' } },
      spec: { model: 'x2', state: 'active' },
    });
    await devices.update('cam', ({ spec }) => {
      spec.state = 'retired';
    });
    await devices.updateStatus('cam', (object) => {
      object.status = { seen: 'today' };
    });
    await devices.relabel('cam', { site: null, tier: 'web' });
    await devices.patch('cam', { spec: { state: null }, metadata: { annotations: { note: 'x' } } });
    const applied = await devices.apply({ metadata: { name: 'cam' }, spec: { radio: { band: 5 } } });
    expect(await devices.get('cam')).toEqual(applied);
    expect(applied).toMatchObject({
      metadata: { uid: created.metadata.uid, annotations: { note: 'x' } },
      spec: { model: 'x2', state: 'active', radio: { band: 5 } },
      status: { seen: 'today' },
    });
    expect(applied.metadata.labels).toEqual({ tier: 'web' });
    await devices.delete(applied.metadata);
    expect(await failure(devices.get('cam'))).toBeInstanceOf(NotFoundError);
  });

  it('An apply creates an object, and takes over a field of another manager only by force', async () => {
    const devices = await devicesIn('applies');
    await devices.apply({ metadata: { name: 'cam' }, spec: { model: 'x2' } });
    const other = fleet.direct.objects(Device, { namespace: 'applies' });
    const change = { metadata: { name: 'cam' }, spec: { model: 'x3' } };
    const refused = await failure(other.apply(change));
    expect(refused).toBeInstanceOf(ConflictError);
    expect((refused as ConflictError).causes).toMatchObject([{ field: '.spec.model' }]);
    expect((await other.apply(change, { force: true })).spec.model).toBe('x3');
  });

  it('A list yields the objects of all pages, by labels and by fields', async () => {
    const devices = await devicesIn('lists');
    const sites = ['north', 'south', 'north', 'east'];
    for (const [index, site] of sites.entries()) await devices.create(device(`cam-${index}`, { site }));
    await devices.relabel('cam-2', { canary: 'yes' });
    await devices.patch('cam-3', { spec: { state: 'retired' } });
    const names = async (...question: Parameters<typeof devices.list>) => {
      const found: string[] = [];
      for await (const { metadata } of devices.list(...question)) found.push(metadata.name);
      return found;
    };
    expect(await names('', { pageSize: 1 })).toEqual(['cam-0', 'cam-1', 'cam-2', 'cam-3']);
    expect(await names('site in (north,south),!canary')).toEqual(['cam-0', 'cam-1']);
    expect(await names({ site: ['north', 'south'], canary: absent })).toEqual(['cam-0', 'cam-1']);
    expect(await names({ site: not('north') })).toEqual(['cam-1', 'cam-3']);
    expect(await names('', { fields: { 'spec.state': 'retired' } })).toEqual(['cam-3']);
    const everywhere = await fleet.direct.objects(Device).list({ site: 'east' }).all();
    expect(everywhere.items.map(({ metadata }) => metadata.namespace)).toEqual(['lists']);
    expect(everywhere.resourceVersion).toMatch(/^\d+$/);
  });

  it('A watch yields what enters, changes in and leaves the selected set, and ends with its signal', async () => {
    const devices = await devicesIn('watches');
    const { resourceVersion } = await devices.list().all();
    const ending = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const event of devices.watch('site=north', { resourceVersion, signal: ending.signal })) {
        if (event.type === 'BOOKMARK') continue;
        if (seen.push(`${event.type} ${event.object.metadata.name}`) === 3) ending.abort();
      }
    })();
    await devices.create(device('cam', { site: 'north' }));
    await devices.relabel('cam', { tier: 'web' });
    await devices.relabel('cam', { site: 'south' });
    await watching;
    expect(seen).toEqual(['ADDED cam', 'MODIFIED cam', 'DELETED cam']);
  });

  it('A kind of a group in the core is reached without a definition', async () => {
    const maps = fleet.direct.objects(resource<Kind<{ data?: Record<string, string> }>>('v1', 'configmaps'), {
      namespace: 'default',
    });
    const { apiVersion, kind, data } = await maps.create({ metadata: { name: 'a' }, data: { a: 'b' } });
    expect({ apiVersion, kind, data }).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } });
    const [listed] = await maps.list('', { fields: { 'metadata.name': 'a' } }).toArray();
    expect(listed).toEqual(await maps.get('a'));
    const namespaces = fleet.direct.objects(resource('v1', 'namespaces', { scope: 'Cluster' }));
    expect((await namespaces.get('default')).metadata.name).toBe('default');
    expect(await fleet.direct.request('/version')).toMatchObject({ major: '1' });
    expect(await fleet.direct.request('/healthz')).toBe('ok');
  });
});

describe('The example devices.ts', () => {
  it('The example creates, lists, follows and deletes devices', async () => {
    const file = join(root, 'examples/typescript/devices.ts');
    // As a user runs it, but with the sources in the place of the installed package.
    const code = readFileSync(file, 'utf8').replace(
      '@winnow-dev/client/objects',
      join(root, 'lib/client/objects/index.ts'),
    );
    const program = ['--input-type=module-typescript', '--eval', code, '--', file, fleet.service.winnow.url];
    const { out, errors } = await run(process.execPath, program);
    const listed = 'cam-1 x2 active\ncam-2 x3 retired\n';
    const printed = `${listed}entered cam-1\nentered cam-2\ncomplete: 2\nleft cam-1\n`;
    expect([out, errors]).toEqual([printed, '']);
    const page = readFileSync(join(root, 'lib/client/README.md'), 'utf8');
    expect(page).toContain(`\`\`\`typescript\n${readFileSync(file, 'utf8')}\`\`\`\n`);
  });
});

describe('The errors of a collection', () => {
  it('Each reason has a class, with the Status and the audit id of the request', async () => {
    const devices = await devicesIn('errors');
    await devices.create(device('cam'));
    expect(await failure(devices.create(device('cam')))).toBeInstanceOf(AlreadyExistsError);
    const invalid = await failure(
      devices.create({ metadata: { name: 'bad' }, spec: { model: 'x', state: 'gone' as 'active' } }),
    );
    expect(invalid).toBeInstanceOf(InvalidError);
    expect(invalid).toMatchObject({ code: 422, reason: 'Invalid', causes: [{ field: 'spec.state' }] });
    expect(invalid).toMatchObject({ name: 'InvalidError', auditId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect((invalid as Error).message).toContain('Device.fleet.example "bad" is invalid');
    const uid = '00000000-0000-0000-0000-000000000000';
    expect(await failure(devices.delete({ name: 'cam', uid }))).toBeInstanceOf(ConflictError);
    const expired = async () => {
      for await (const event of devices.watch('', { resourceVersion: '1' })) return event;
    };
    fleet.proxy.tamper = () => ({
      status: 200,
      body: '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}\n',
    });
    expect(await failure(expired())).toBeInstanceOf(ExpiredError);
  });

  it.each(['.', '..', ''])('A name %j is refused, because its path would be another one', async (name) => {
    const devices = fleet.proxied.objects(Device, { namespace: 'quiet' });
    const before = fleet.proxy.requests.length;
    expect(await failure((async () => devices.delete(name))())).toBeInstanceOf(TypeError);
    expect(fleet.proxy.requests.length).toBe(before);
  });

  it('A name with a slash is encoded, so it stays a name', async () => {
    const devices = fleet.proxied.objects(Device, { namespace: 'quiet' });
    expect(await failure(devices.get('a/../../secrets'))).toBeInstanceOf(Error);
    expect(fleet.proxy.requests.at(-1)).toMatch(/devices\/a%2F\.\.%2F\.\.%2Fsecrets$/);
  });

  it('An object of another namespace, or of none, is refused', async () => {
    const devices = fleet.direct.objects(Device, { namespace: 'quiet' });
    expect(() => devices.get({ name: 'a', namespace: 'other' })).toThrow('"other" is not "quiet"');
    expect(() => fleet.direct.objects(Device).get('a')).toThrow(
      'give the collection or the object a namespace',
    );
  });
});

describe('A collection behind a bad network', () => {
  it.each<Tampering>(['lost', 'cut', { status: 503, body: '' }, { status: 429, body: '' }])(
    'A read is repeated after its answer is %j',
    async (tampering) => {
      const devices = fleet.proxied.objects(Device, { namespace: 'quiet' });
      tamperNext('GET', tampering, tampering);
      expect(await devices.list().toArray()).toEqual([]);
    },
  );

  it('A create whose answer is lost has an unknown outcome, and is not repeated', async () => {
    const devices = await devicesIn('lost-creates');
    for (const [index, tampering] of (['lost', 'cut'] as const).entries()) {
      tamperNext('POST', tampering);
      const before = fleet.proxy.requests.length;
      const error = await failure(devices.create(device(`cam-${index}`)));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(fleet.proxy.requests.length).toBe(before + 1);
      expect((await devices.get(`cam-${index}`)).spec.model).toBe('x2');
    }
  });

  it('A 504 that says that a create may have been applied has an unknown outcome', async () => {
    const devices = fleet.proxied.objects(Device, { namespace: 'quiet' });
    const body = (message: string) =>
      JSON.stringify({ kind: 'Status', code: 504, reason: 'Timeout', message });
    tamperNext('POST', { status: 504, body: body('it may have been applied') });
    expect(await failure(devices.create(device('unsure')))).toBeInstanceOf(OutcomeUnknownError);
    tamperNext('POST', { status: 504, body: body('it was not written') });
    expect(await failure(devices.create(device('unsure')))).toBeInstanceOf(UnavailableError);
  });

  it('A create is repeated after a 429 with Retry-After, which did nothing', async () => {
    const devices = await devicesIn('busy');
    const busy = { status: 429, body: '', headers: { 'retry-after': '0' } };
    tamperNext('POST', busy, busy);
    expect((await devices.create(device('cam'))).metadata.name).toBe('cam');
    tamperNext('POST', { status: 429, body: '' });
    expect(await failure(devices.create(device('cam-2')))).toBeInstanceOf(TooManyRequestsError);
  });

  it('An apply whose answer is lost is repeated', async () => {
    const devices = await devicesIn('lost-applies');
    tamperNext('PATCH', 'lost');
    expect((await devices.apply(device('cam'))).spec.model).toBe('x2');
  });

  it('An apply whose first answer is lost keeps its unknown outcome when later attempts fail', async () => {
    const impatient = connect({ url: fleet.proxy.url, deadline: 300 });
    const devices = impatient.objects(Device, { namespace: 'quiet' });
    const busy = { status: 429, body: '', headers: { 'retry-after': '0.05' } };
    const answers: Tampering[] = ['lost'];
    fleet.proxy.tamper = () => answers.pop() ?? busy;
    const error = await failure(devices.apply(device('cam')));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ code: 429, lostAnswers: 1 });
  });

  it('A delete whose answer is lost is repeated only with a uid', async () => {
    const devices = await devicesIn('lost-deletes');
    await devices.create(device('plain'));
    const { metadata } = await devices.create(device('exact'));
    tamperNext('DELETE', 'lost');
    expect(await failure(devices.delete('plain'))).toBeInstanceOf(OutcomeUnknownError);
    tamperNext('DELETE', 'lost');
    await devices.delete(metadata);
    expect(await devices.list().toArray()).toEqual([]);
    expect(await failure(devices.delete(metadata))).toBeInstanceOf(NotFoundError);
  });

  it('A cut page is an error, never a shorter list', async () => {
    fleet.proxy.tamper = () => (answer) => answer.slice(0, answer.length / 2);
    const impatient = connect({ url: fleet.proxy.url, deadline: 100 });
    expect(await failure(impatient.objects(Device).list().toArray())).toBeInstanceOf(UnavailableError);
  });

  it('A request without an answer ends at its deadline, or as its signal aborts', async () => {
    fleet.proxy.tamper = () => 'silence';
    const impatient = connect({ url: fleet.proxy.url, deadline: 50 }).objects(Device, { namespace: 'quiet' });
    const late = await failure(impatient.get('cam'));
    expect(late).toBeInstanceOf(UnavailableError);
    expect((late as Error).message).toContain('no answer within 50 ms');
    expect(await failure(impatient.create(device('cam')))).toBeInstanceOf(OutcomeUnknownError);
    const devices = fleet.proxied.objects(Device, { namespace: 'quiet' });
    const reason = new Error('the user left');
    expect(await failure(devices.get('cam', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    const ending = new AbortController();
    const asked = fleet.proxy.next(/GET/);
    const answer = failure(devices.get('cam', { signal: ending.signal }));
    await asked;
    ending.abort(reason);
    expect(await answer).toBe(reason);
  });

  it('An update calls its function again with the state of a faster writer', async () => {
    const devices = await devicesIn('races');
    await devices.create(device('cam', { count: '0' }));
    const count = () =>
      devices.update('cam', ({ metadata }) => {
        const { count } = metadata.labels ?? {};
        metadata.labels = { count: `${Number(count) + 1}` };
      });
    await Promise.all([count(), count(), count()]);
    expect((await devices.get('cam')).metadata.labels).toEqual({ count: '3' });
  });

  it('A watch that is cut is an error', async () => {
    const devices = await devicesIn('cut-watches');
    await devices.create(device('cam'));
    const read = async (silence?: number) => {
      const events: WatchEvent<unknown>[] = [];
      for await (const event of devices.watch('', { silence })) events.push(event);
      return events;
    };
    tamperNext('GET', 'cut');
    expect(await failure(read())).toBeInstanceOf(UnavailableError);
    tamperNext('GET', 'silence');
    const silent = await failure(read(50));
    expect(silent).toBeInstanceOf(UnavailableError);
    expect((silent as Error).message).toContain('no byte came for 50 ms');
  });
});

describe('The login of a collection', () => {
  /** A client whose requests pass the proxy, and the value of the header `authorization` of each request. */
  function withToken(token: NonNullable<ConnectOptions['token']>) {
    const sent: unknown[] = [];
    const watched: typeof fetch = (url, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return fetch(url, init);
    };
    const winnow = connect({ url: fleet.proxy.url, token, fetch: watched });
    return { sent, devices: winnow.objects(Device, { namespace: 'quiet' }) };
  }

  it('After a 401, the client asks once for another token', async () => {
    const refused: unknown[] = [];
    const { devices, sent } = withToken((old) => {
      refused.push(old);
      return old === undefined ? 'old' : 'new';
    });
    const unauthorized = { status: 401, body: '' };
    tamperNext('GET', unauthorized);
    expect(await devices.list().toArray()).toEqual([]);
    expect([sent, refused]).toEqual([
      ['Bearer old', 'Bearer new'],
      [undefined, 'old'],
    ]);
    tamperNext('GET', unauthorized, unauthorized, unauthorized);
    expect(await failure(devices.get('cam'))).toBeInstanceOf(UnauthorizedError);
    expect(sent.slice(2)).toEqual(['Bearer old', 'Bearer new']);
  });

  it('A redirect is not followed, and no error contains the token', async () => {
    const { devices, sent } = withToken('secret');
    const elsewhere = await startTamperingProxy();
    try {
      tamperNext('GET', { status: 307, body: '', headers: { location: elsewhere.url } });
      const error = await failure(devices.get('cam'));
      expect(error).toMatchObject({ code: 307 });
      expect(inspect(error, { depth: 9 })).not.toContain('secret');
      expect([sent, elsewhere.requests]).toEqual([['Bearer secret'], []]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('A path that leads to another origin is refused', async () => {
    const winnow = connect({ url: 'http://127.0.0.1:1', token: 'secret' });
    expect(await failure(winnow.request('.evil.example/'))).toBeInstanceOf(TypeError);
    expect(await failure(winnow.request('//evil.example/'))).toBeInstanceOf(TypeError);
  });

  it('A server that is not there is reported, also for a create', async () => {
    const { url, stop } = await startTamperingProxy();
    await stop();
    const winnow = connect({ url, deadline: 100 });
    const error = await failure(winnow.objects(Device, { namespace: 'quiet' }).create(device('cam')));
    expect(error).toBeInstanceOf(UnavailableError);
    expect((error as Error).message).toContain(`${url} gave no whole answer: ECONNREFUSED`);
  });
});
