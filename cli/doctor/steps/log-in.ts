import { explainStatus, Fault } from '../../connection/index.ts';
import type { Step } from '../examination.ts';
import { versionOf } from './reach.ts';

export const logIn: Step = {
  name: 'log in',
  required: true,
  run: async ({ connection }) => {
    const { access } = connection;
    const { login } = access;
    const reply = await connection.send('GET', '/version');
    if (reply.status === 200) {
      const version = versionOf(reply);
      if (login === undefined) return 'the endpoint requires no login';
      const name = await access.whoAmI();
      return `${version}, with ${login}${name === undefined ? '' : `, as ${name}`}`;
    }
    if (reply.status === 401 && login === undefined) {
      throw new Fault({
        what: 'the endpoint requires a login, and the command has none',
        advice:
          'Use the kubeconfig that "bin/winnow.js kubeconfig" writes; --url is for endpoints without a login',
        runbook: 'logging-in-does-not-work',
      });
    }
    throw explainStatus(reply, 'GET /version');
  },
};
