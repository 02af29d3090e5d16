import { explainStatus, Fault, type Reply } from '../../connection/index.ts';
import type { Step } from '../examination.ts';

/** Asks without a login, so that no token is sent to what is not Winnow. */
export const reach: Step = {
  name: 'reach the endpoint',
  required: true,
  run: async ({ connection }) => {
    const reply = await connection.send('GET', '/version', { anonymous: true });
    if (reply.status === 200) return versionOf(reply);
    if (reply.body?.kind !== 'Status') throw reply.status >= 500 ? failing(reply) : notWinnow(reply);
    if (reply.status === 401 || reply.status === 403) return 'it asks for a login';
    throw failing(reply);
  },
};

/** The version that a Winnow says it serves; throws a Fault for what is something else. */
export function versionOf(reply: Reply): string {
  const { gitVersion } = reply.body ?? {};
  if (typeof gitVersion !== 'string') throw notWinnow(reply);
  if (gitVersion.endsWith('+winnow')) return gitVersion;
  throw new Fault({
    what: `this is a Kubernetes API, ${gitVersion}, and not Winnow`,
    advice: 'Nothing was written to it. Name the kubeconfig, the context or the URL of a Winnow',
  });
}

const failing = (reply: Reply) => explainStatus(reply, 'GET /version');

function notWinnow({ status, text, body }: Reply): Fault {
  const gateway = body?.message === 'Missing Authentication Token' || body?.message === 'Forbidden';
  return new Fault({
    what: `something answers, and it is not Winnow (GET /version: ${status} ${text.trim().slice(0, 80)})`,
    advice: gateway
      ? 'This is API Gateway without such an API or stage: the URL is the output ApiUrl of the stack, its /v1 included'
      : 'Look at the URL: "npm start" says where it listens, and a deployment has the output ApiUrl',
  });
}
