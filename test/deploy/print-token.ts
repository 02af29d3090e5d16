/** `node print-token.ts <cluster id> <region>`: what kubectl wants to hear of an exec entry's command. */
import { mintToken } from './login.ts';

const [clusterId = '', region = ''] = process.argv.slice(2);
const token = await mintToken({ clusterId, region }, { region });
console.log(
  JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    status: { token, expirationTimestamp: new Date(Date.now() + 10 * 60_000).toISOString() },
  }),
);
