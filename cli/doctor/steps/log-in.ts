import { versionWithLogin } from '../../connection/index.ts';
import type { Step } from '../examination.ts';

export const logIn: Step = {
  name: 'log in',
  required: true,
  run: async ({ connection }) => {
    const { access } = connection;
    const { login } = access;
    const version = await versionWithLogin(connection);
    if (login === undefined) return 'the endpoint requires no login';
    const name = await access.whoAmI();
    return `${version}, with ${login}${name === undefined ? '' : `, as ${name}`}`;
  },
};
