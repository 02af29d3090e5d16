import { explainStatus, Fault, type Reply } from '../../connection/index.ts';
import type { Step } from '../examination.ts';

/** Requests the version without the login, so that no token is sent to a server that is not Winnow. */
export const reach: Step = {
  name: 'reach the endpoint',
  required: true,
  run: async ({ connection }) => {
    const reply = await connection.send('GET', '/version', { anonymous: true });
    if (reply.status === 200) return versionOf(reply);
    if (reply.body?.kind !== 'Status') throw reply.status >= 500 ? failing(reply) : notWinnow(reply);
    if (reply.status === 401 || reply.status === 403) return 'it requires a login';
    throw failing(reply);
  },
};

/** The version in an answer to `GET /version`. Throws a Fault if the server is not Winnow. */
export function versionOf(reply: Reply): string {
  const { gitVersion } = reply.body ?? {};
  if (typeof gitVersion !== 'string') throw notWinnow(reply);
  if (gitVersion.endsWith('+winnow')) return gitVersion;
  throw new Fault({
    what: `this is a Kubernetes API, ${gitVersion}, not Winnow`,
    advice: 'Nothing was written to it. Name the kubeconfig, the context or the URL of a Winnow endpoint',
  });
}

const failing = (reply: Reply) => explainStatus(reply, 'GET /version');

function notWinnow({ status, text, body }: Reply): Fault {
  const gateway = body?.message === 'Missing Authentication Token' || body?.message === 'Forbidden';
  return new Fault({
    what: `a server answers, but it is not Winnow (GET /version: ${status} ${text.trim().slice(0, 80)})`,
    advice: gateway
      ? 'This is API Gateway, which has no such API or stage: use the output ApiUrl of the stack, with its /v1'
      : 'Check the URL: "npm start" prints it, and a deployment has the output ApiUrl',
  });
}
