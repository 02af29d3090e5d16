import { Fault, type FaultWords } from './fault.ts';
import type { Reply } from './reply.ts';

/** The error for a refused request; `request` is its method and path. */
export function explainStatus(reply: Reply, request: string): Fault {
  const said = reply.body?.message ?? reply.text.slice(0, 200);
  const { what, ...rest } = wordsOf(reply, said);
  return new Fault({ what: `${what} (${request}: ${reply.status} ${said})`, ...rest });
}

/** Part of the authorizer's message for a principal that the deployment does not let in. Other 403s come from roles. */
const NOT_LET_IN = 'may not log in to this deployment';

function wordsOf({ status }: Reply, said: string): FaultWords {
  switch (status) {
    case 401:
      return {
        what: 'the login is not accepted',
        advice:
          'Check that "aws sts get-caller-identity" works, that the clock is right, and that the kubeconfig belongs to this deployment ("bin/winnow.js kubeconfig" writes a new one)',
        runbook: 'logging-in-does-not-work',
      };
    case 403:
      if (!said.includes(NOT_LET_IN)) {
        return {
          what: 'the login does not have the permission for this request',
          advice:
            'Bind a role that grants it (docs/access.md); "kubectl auth can-i --list" lists your permissions',
        };
      }
      return {
        what: 'the login is valid, but this deployment does not let it in',
        advice:
          'Add the ARN of this login to -c principals=… or -c members=… and deploy, or log in as a principal that these settings list',
        runbook: 'logging-in-does-not-work',
      };
    case 404:
      return {
        what: 'the endpoint does not know a path that every Winnow serves',
        advice:
          'Check that the URL ends with the stage (/v1), and that a proxy in front of the endpoint forwards every path',
      };
    case 429:
      return {
        what: 'the endpoint receives more requests than it can serve',
        advice: 'Try again in a moment; if the error stays, the table or API Gateway throttles',
        runbook: 'requests-are-answered-with-429',
      };
    case 504:
      return {
        what: 'the request timed out in the endpoint',
        advice: 'Try again in a moment; if the error stays, the table is slow or not reachable',
        runbook: 'requests-are-answered-with-504',
      };
    default:
      return status >= 500
        ? {
            what: 'the endpoint failed',
            advice: "Find the error in the function's log; locally, in the output of npm start",
            runbook: 'look',
          }
        : {
            what: 'the endpoint refused a valid request',
            advice:
              'Does this command belong to another version of Winnow, or does a proxy in front of the endpoint change requests?',
          };
  }
}
