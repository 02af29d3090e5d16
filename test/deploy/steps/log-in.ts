import assert from 'node:assert/strict';
import { HttpClient } from '../../support/http-client.ts';
import type { Step } from '../trial.ts';

const NO_LOGIN: readonly Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }];

export const logIn: Step = {
  name: 'log in',
  run: async ({ deployment }) => {
    const { http, terminal } = deployment;
    for (const headers of NO_LOGIN) {
      const { status, reason, body } = await new HttpClient(http.url).send('GET', '/version', { headers });
      assert.deepEqual(
        { status, reason, kind: body.kind },
        { status: 401, reason: 'Unauthorized', kind: 'Status' },
      );
    }
    const unknown = await http.send('OPTIONS', '/version');
    assert.deepEqual([unknown.status, unknown.reason], [405, 'MethodNotAllowed']);
    const version = await terminal.run('kubectl version');
    const [, server] = /^Server Version: (\S+\+winnow)$/m.exec(version) ?? [];
    assert.ok(server, version);
    return `401 without the token; kubectl sees ${server}`;
  },
};
