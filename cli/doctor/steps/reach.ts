import { anonymousVersion } from '../../connection/index.ts';
import type { Step } from '../examination.ts';

/** Requests the version without the login, so that no token is sent to a server that is not Winnow. */
export const reach: Step = {
  name: 'reach the endpoint',
  required: true,
  run: async ({ connection }) => (await anonymousVersion(connection)) ?? 'it requires a login',
};
