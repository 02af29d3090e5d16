import { explainStatus } from '../../connection/index.ts';
import type { Step } from '../examination.ts';

export const createNamespace: Step = {
  name: 'create a namespace',
  required: true,
  run: async (examination) => {
    const { connection, namespace } = examination;
    // Whatever becomes of the request: it may have been applied where no answer came. One that is under way while
    // all is cleaned up could be applied afterwards, so it is waited for.
    examination.touched = true;
    const reply = await connection.send('POST', '/api/v1/namespaces', {
      uninterrupted: true,
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    });
    if (reply.status === 201) return namespace;
    if (reply.status < 500) examination.touched = false;
    throw explainStatus(reply, 'POST /api/v1/namespaces');
  },
};
