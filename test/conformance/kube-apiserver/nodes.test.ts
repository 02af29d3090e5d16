import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  answeredAnew,
  nodeDifferences,
  readNodeAnswers,
  writeNodeAnswers,
} from '../../golden/node-answers.ts';
import type { Recorded } from '../../golden/recording.ts';
import { replayTo } from '../../golden/replay.ts';
import { buildServers, type Servers, serverVersion } from './build-servers.ts';
import { nodeRequests } from './node-requests.ts';
import { NODE_FLAGS, startServer } from './start-server.ts';

const BUILDING = 3_600_000;
const ASKING = 300_000;

let servers: Servers;

beforeAll(() => {
  servers = buildServers();
}, BUILDING);

describe(`Requests of nodes, compared with kube-apiserver ${serverVersion()}`, () => {
  it(
    'Winnow gives the status and the message that kube-apiserver gives',
    async () => {
      const live = await askLive();
      expect(new Set(live.map(({ status }) => status))).toEqual(new Set([200, 201, 403, 404, 409, 422]));
      if (process.env.WINNOW_RECORD === 'yes') writeNodeAnswers(live);
      expect(live.map(titleAndStatus)).toEqual(readNodeAnswers().map(titleAndStatus));
      expect(await nodeDifferences(live)).toEqual([]);
    },
    ASKING,
  );
});

const titleAndStatus = ({ case: title, status }: Recorded) => ({ title, status });

async function askLive(): Promise<Recorded[]> {
  const { api, stop } = await startServer(servers, NODE_FLAGS);
  try {
    return (await replayTo(api, nodeRequests())).map(answeredAnew);
  } finally {
    await stop();
  }
}
