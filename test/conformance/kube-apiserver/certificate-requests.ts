import type { JsonObject } from '../../../lib/json/index.ts';

const API = 'certificates.k8s.io/v1';
const REQUESTS = `/apis/${API}/certificatesigningrequests`;

/** The output of openssl for `CN=x`. Its key no longer exists. */
const SIGNED = [
  'MIHGMG4CAQAwDDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA',
  'BDJoEUQ2sjNbfNFjTQS8WFgkDPIJkBGkyQe7mumGL90GILkF0TkUVcwP/BHy6E/5',
  'ZBK14Zhe4pwIDMN654B2JY2gADAKBggqhkjOPQQDAgNIADBFAiEAxCqCtm5liMGp',
  'd1kFprjx8ebcAk3djFA3Rap4o7zjbtcCIFwsx3rmbbo1TBch2uneDAGmfPmzCxNQ',
  '2gunafZ64Bzc',
];
const PEM = ['-----BEGIN CERTIFICATE REQUEST-----', ...SIGNED, '-----END CERTIFICATE REQUEST-----', ''];
const TIME = '2026-01-01T00:00:00Z';

function request(name: string, change: JsonObject = {}): JsonObject {
  const spec = {
    request: Buffer.from(PEM.join('\n')).toString('base64'),
    usages: ['client auth'],
    signerName: 'example.com/s',
  };
  return { apiVersion: API, kind: 'CertificateSigningRequest', metadata: { name }, spec, ...change };
}

function decided(...types: string[]): JsonObject {
  const conditions = types.map((type) => ({
    type,
    status: 'True',
    reason: 'R',
    message: '',
    lastUpdateTime: TIME,
    lastTransitionTime: TIME,
  }));
  return { status: { conditions } };
}

const put = (path: string, body: JsonObject) => ({ method: 'PUT', path: `${REQUESTS}/${path}`, body });

/** The requests in the life of a certificate request: right and wrong decisions about it. */
export const lifeOfCertificateRequests: readonly {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
}[] = [
  { method: 'POST', path: REQUESTS, body: request('life', decided('Approved')) },
  put('life', request('life', decided('Approved'))),
  put('life/status', request('life', decided('Approved'))),
  put('life/status', request('life', decided('Failed'))),
  put('life/approval', request('life', decided('Failed', 'Approved', 'Denied'))),
  put('life/approval', request('life', decided('Failed', 'Approved'))),
  put('life/approval', request('life', decided('Denied'))),
  put('life/status', request('life', decided('Approved'))),
  put(
    'life/status',
    request('life', { status: { ...Object(decided('Failed', 'Approved').status), certificate: 'AEE=' } }),
  ),
  put('life', { ...request('life'), spec: { signerName: 'example.com/other' } }),
  { method: 'GET', path: `${REQUESTS}/life/approval` },
  { method: 'DELETE', path: `${REQUESTS}/life` },
];
