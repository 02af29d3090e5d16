import type { Reply } from './connection.ts';
import { Fault, type FaultWords } from './fault.ts';

/** Says in words why a request was refused; `request` is its method and path. */
export function explainStatus(reply: Reply, request: string): Fault {
  const said = reply.body?.message ?? reply.text.slice(0, 200);
  const { what, ...rest } = wordsOf(reply, said);
  return new Fault({ what: `${what} (${request}: ${reply.status} ${said})`, ...rest });
}

/** What the login says of who is nobody here; of everybody else roles and bindings say what he may. */
const NOT_LET_IN = 'is not let in here';

function wordsOf({ status }: Reply, said: string): FaultWords {
  switch (status) {
    case 401:
      return {
        what: 'the login is not accepted',
        advice:
          'Does "aws sts get-caller-identity" know you, is the clock right, and is the kubeconfig of this deployment? "bin/winnow.js kubeconfig" writes it anew',
        runbook: 'logging-in-does-not-work',
      };
    case 403:
      if (!said.includes(NOT_LET_IN)) {
        return {
          what: 'the login may not do that',
          advice:
            'Bind a role to it that allows it: docs/access.md, and "kubectl auth can-i --list" says what it may',
        };
      }
      return {
        what: 'the login is known, and not let in here',
        advice: 'Deploy with its ARN among -c principals=… or -c members=…, or log in as somebody who is',
        runbook: 'logging-in-does-not-work',
      };
    case 404:
      return {
        what: 'the endpoint does not know a path that every Winnow serves',
        advice: 'Does the URL end with the stage (/v1), and does what is in front of it pass every path on?',
      };
    case 429:
      return {
        what: 'the endpoint is asked more than it can take',
        advice: 'Try again in a moment; if it stays so, the table or API Gateway throttles',
        runbook: 'requests-are-answered-with-429',
      };
    case 504:
      return {
        what: 'the request was not done in time',
        advice: 'Try again in a moment; if it stays so, the table is slow or not reachable',
        runbook: 'requests-are-answered-with-504',
      };
    default:
      return status >= 500
        ? {
            what: 'the endpoint fails',
            advice: "Find the error in the function's log; locally, in what npm start prints",
            runbook: 'look',
          }
        : {
            what: 'the endpoint refuses a good request',
            advice:
              'Is this the doctor of another version of Winnow, or does something in front of it change requests?',
          };
  }
}
