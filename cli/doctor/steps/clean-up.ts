import { setTimeout as sleep } from 'node:timers/promises';
import { explainStatus, Fault } from '../../connection/index.ts';
import type { Examination, Step } from '../examination.ts';
import { SUBSCRIBED } from './subscribe.ts';

const PAUSE = 500;

/** Removes the subscription first, whose queue goes with it, then the namespace with everything in it. */
export const cleanUp: Step = {
  name: 'clean up',
  run: async (examination) => {
    const { subscriptionsPath, namespacePath, namespace } = examination;
    try {
      await remove(examination, `${subscriptionsPath}/${SUBSCRIBED}`);
      await remove(examination, namespacePath);
      return `${namespace} is gone, with everything in it`;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw new Fault({
        what: `${namespace} may be left: ${error.message}`,
        advice: `${error.advice}. Afterwards: kubectl delete namespace ${namespace}`,
        ...(error.runbook === undefined ? {} : { runbook: error.runbook }),
      });
    }
  },
};

/** Deletes what is at a path, if it is there, and waits until it is gone. */
async function remove({ connection, patience }: Examination, path: string): Promise<void> {
  const deleted = await connection.send('DELETE', path);
  // A conflict is that of a namespace that is Terminating already.
  if (deleted.status >= 400 && deleted.status !== 404 && deleted.status !== 409) {
    throw explainStatus(deleted, `DELETE ${path}`);
  }
  for (const end = performance.now() + patience.removal; ; await sleep(PAUSE)) {
    const { status } = await connection.send('GET', path);
    if (status === 404) return;
    if (performance.now() > end) throw staying(path, patience.removal / 1_000);
  }
}

function staying(path: string, seconds: number): Fault {
  return new Fault({
    what: `${path} is deleted and still there after ${seconds} s`,
    advice: "Nobody finishes the deletion: find the error in the reconcile function's log",
    runbook: 'messages-in-reconciledeadletters',
  });
}
