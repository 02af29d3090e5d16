import { setTimeout as sleep } from 'node:timers/promises';
import { explainStatus, Fault } from '../../connection/index.ts';
import type { Examination, Step } from '../examination.ts';
import { SUBSCRIBED } from './subscribe.ts';

const PAUSE = 500;

/** Deletes the subscription with its queue, and then the namespace with everything in it. */
export const cleanUp: Step = {
  name: 'clean up',
  run: async (examination) => {
    const { subscriptionsPath, namespacePath, namespace } = examination;
    try {
      await remove(examination, `${subscriptionsPath}/${SUBSCRIBED}`);
      await remove(examination, namespacePath);
      return `${namespace} was deleted, with everything in it`;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw new Fault({
        what: `${namespace} may still exist: ${error.message}`,
        advice: `${error.advice}. Then run: kubectl delete namespace ${namespace}`,
        ...(error.runbook === undefined ? {} : { runbook: error.runbook }),
      });
    }
  },
};

/** Deletes the object at a path, if it exists, and waits until it is gone. */
async function remove({ connection, patience }: Examination, path: string): Promise<void> {
  const deleted = await connection.send('DELETE', path);
  // 409: the namespace is already Terminating.
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
    what: `${path} still exists ${seconds} s after its deletion`,
    advice: "No function completes the deletion: find the error in the reconcile function's log",
    runbook: 'messages-that-were-set-aside',
  });
}
