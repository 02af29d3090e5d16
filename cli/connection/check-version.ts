import type { Connection } from './connection.ts';
import { explainStatus } from './explain-status.ts';
import { Fault } from './fault.ts';
import type { Reply } from './reply.ts';

const REQUEST = 'GET /version';

/**
 * The version of an endpoint, asked without the login, so that no token is sent to a server that is not Winnow.
 * Undefined if the endpoint requires a login. Throws a Fault if the server is not Winnow.
 */
export async function anonymousVersion(connection: Connection): Promise<string | undefined> {
  const reply = await connection.send('GET', '/version', { anonymous: true });
  if (reply.status === 200) return versionOf(reply);
  if (reply.body?.kind !== 'Status') throw reply.status >= 500 ? failing(reply) : notWinnow(reply);
  if (reply.status === 401 || reply.status === 403) return undefined;
  throw failing(reply);
}

/** The version of an endpoint, asked with the login. Throws a Fault if the login fails or the server is not Winnow. */
export async function versionWithLogin(connection: Connection): Promise<string> {
  const reply = await connection.send('GET', '/version');
  if (reply.status === 200) return versionOf(reply);
  if (reply.status === 401 && connection.access.login === undefined) {
    throw new Fault({
      what: 'the endpoint requires a login, and the command has none',
      advice:
        'Use the kubeconfig that "bin/winnow.js kubeconfig" writes; --url is for endpoints without a login',
      runbook: 'logging-in-does-not-work',
    });
  }
  throw failing(reply);
}

function versionOf(reply: Reply): string {
  const { gitVersion } = reply.body ?? {};
  if (typeof gitVersion !== 'string') throw notWinnow(reply);
  if (gitVersion.endsWith('+winnow')) return gitVersion;
  throw new Fault({
    what: `this is a Kubernetes API, ${gitVersion}, not Winnow`,
    advice: 'Nothing was written to it. Name the kubeconfig, the context or the URL of a Winnow endpoint',
  });
}

const failing = (reply: Reply) => explainStatus(reply, REQUEST);

function notWinnow({ status, text, body }: Reply): Fault {
  const gateway = body?.message === 'Missing Authentication Token' || body?.message === 'Forbidden';
  return new Fault({
    what: `a server answers, but it is not Winnow (${REQUEST}: ${status} ${text.trim().slice(0, 80)})`,
    advice: gateway
      ? 'This is API Gateway, which has no such API or stage: use the output ApiUrl of the stack, with its /v1'
      : 'Check the URL: "npm start" prints it, and a deployment has the output ApiUrl',
  });
}
