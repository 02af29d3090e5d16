import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parsed } from '../../golden/compare.ts';
import { createInProcessApi } from '../../golden/in-process-api.ts';
import { knownDifferences, openDifferences } from '../../golden/open-differences.ts';
import { RECORDINGS, type Recorded, readRecording } from '../../golden/recording.ts';
import { type Replayed, replayTo } from '../../golden/replay.ts';
import { buildServers, type Servers, serverVersion } from './build-servers.ts';
import { intendedOfSweep } from './intended-differences.ts';
import { startServer } from './start-server.ts';
import { sweep } from './sweep.ts';

const BUILDING = 3_600_000;
const ASKING = 1_800_000;

/** Cases that contain an address chosen by the recorded server. */
const OF_ONE_RUN = ['11 update (PUT) | service selector changed'];

/** Whether a case can be sent again. Node's client sends CONNECT to proxies only. */
function isAskedAnew({ method, case: name = '' }: Recorded): boolean {
  return method !== 'CONNECT' && !OF_ONE_RUN.includes(name);
}

let servers: Servers;

beforeAll(() => {
  servers = buildServers();
}, BUILDING);

describe(`Winnow, compared with kube-apiserver ${serverVersion()}`, () => {
  it.each(RECORDINGS)(
    'kube-apiserver answers the recording of %s as before, and Winnow answers as it does, except for known differences',
    async (name) => {
      const live = await askLive(readRecording(name).filter(isAskedAnew));
      expect(live.flatMap(changedSince)).toEqual([]);
      expectKnown(name, await askHere(live), knownDifferences(name));
    },
    ASKING,
  );

  it.each(intendedOfSweep)('docs/api.md gives the reason: $reason', async ({ reason }) => {
    const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    expect(page).toContain(reason);
  });

  it(
    'Winnow answers requests of no recording as kube-apiserver does, except for intended differences',
    async () => {
      const here = await askHere(await askLive(sweep()));
      expectKnown('sweep', here, []);
    },
    ASKING,
  );
});

/** The current answer to a case whose status differs from the recorded one. */
function changedSince({ recorded, ours }: Replayed): string[] {
  if (recorded.case === undefined || recorded.status === ours.status) return [];
  return [`${recorded.case}: ${recorded.status} then, ${ours.status} now, ${ours.text}`];
}

/** Sends requests to an empty kube-apiserver, and returns its answers. */
async function askLive(recording: readonly Recorded[]): Promise<Replayed[]> {
  const { api, stop } = await startServer(servers);
  try {
    return await replayTo(api, recording);
  } finally {
    await stop();
  }
}

/**
 * Sends the same requests to Winnow, and compares the answers. Returns the cases, without the requests that prepare
 * them.
 */
async function askHere(live: readonly Replayed[]): Promise<Replayed[]> {
  const replayed = await replayTo(await createInProcessApi(), live.map(recordedAnew));
  return replayed.filter(({ recorded }) => recorded.case !== undefined);
}

/** A request as it was sent, with the answer of kube-apiserver. */
function recordedAnew({ recorded, sent, target, ours }: Replayed): Recorded {
  const { body } = sent;
  const encoding = recorded.contentType?.includes('protobuf') ? 'latin1' : 'utf8';
  const { warning, 'content-type': type } = ours.headers;
  return {
    ...recorded,
    path: target,
    ...(body === undefined ? {} : { body: Buffer.from(body).toString(encoding) }),
    status: ours.status,
    ...(type === undefined ? {} : { answerType: type }),
    ...(recorded.answerHeaders === undefined
      ? {}
      : { answerHeaders: warning === undefined ? {} : { Warning: [warning] } }),
    ...(recorded.status !== 0 && recorded.answer === undefined ? {} : { answer: parsed(ours.text) }),
  };
}

/** Prints each difference that is neither intended nor known, with its place. */
function expectKnown(name: string, here: readonly Replayed[], known: readonly string[]): void {
  const all = known.map(comparable);
  const unknown = here.flatMap((one) =>
    openDifferences(name, [one], name === 'sweep' ? intendedOfSweep : [])
      .filter((line) => !isOfSeconds(line) && !all.includes(comparable(line)))
      .map((line) => [
        line,
        ...Object.entries(one.differences).map(([aspect, where]) => `  ${aspect}: ${where}`),
      ]),
  );
  if (unknown.length > 0) console.log(unknown.flat().join('\n'));
  expect(unknown.map(([line]) => line)).toEqual([]);
}

/**
 * Whether a line differs in managedFields only. Their order and merging depend on the seconds of the writes, which are
 * the same only in the recordings.
 */
function isOfSeconds(line: string): boolean {
  return / managedFields \|/.test(line);
}

/**
 * A line without its number and without managedFields. The number of a request changes as kinds are added and removed.
 */
function comparable(line: string): string {
  return withoutNumber(line).replace(/,managedFields(?=[, ])/, '');
}

function withoutNumber(line: string): string {
  return line.replace(/^(\w+) \d+ /, '$1 ');
}
