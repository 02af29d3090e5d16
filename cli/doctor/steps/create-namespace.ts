import { explainStatus } from '../../connection/index.ts';
import type { Step } from '../examination.ts';

export const createNamespace: Step = {
  name: 'create a namespace',
  required: true,
  run: async (examination) => {
    const { connection, namespace } = examination;
    // Set before the request, because the endpoint may apply the request and then fail to answer. The request
    // cannot be interrupted, because the endpoint could apply an interrupted one after the clean-up.
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
