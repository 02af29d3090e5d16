import { defineResourceTypes } from '../define-resource-types.ts';
import { CERTIFICATE_SUBRESOURCES } from '../subresources.ts';

/** certificates.k8s.io/v1: inventory. Winnow signs no certificates. */
export const certificates = defineResourceTypes('certificates.k8s.io', 'v1', [
  {
    kind: 'CertificateSigningRequest',
    resource: 'certificatesigningrequests',
    shortNames: ['csr'],
    scope: 'Cluster',
    status: true,
    subresources: CERTIFICATE_SUBRESOURCES,
    fields: ['spec.signerName'],
    nameRule: 'path',
  },
]);
