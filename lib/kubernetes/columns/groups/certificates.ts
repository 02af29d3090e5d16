import type { JsonObject } from '../../../json/index.ts';
import { humanDuration, listAt, NONE, numberAt, textAt } from '../../resource-types/index.ts';
import { AGE, field, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** certificates.k8s.io/v1: inventory. Winnow signs no certificates. */
export const certificates: ColumnsByKind = {
  CertificateSigningRequest: [
    NAME,
    AGE,
    field('SignerName', 'spec.signerName', 'The requested signer.'),
    field('Requestor', 'spec.username', 'The requesting user.', ''),
    text('RequestedDuration', 'The requested duration.', duration),
    text('Condition', 'The conditions of the request.', condition),
  ],
};

function duration(request: JsonObject): string {
  const seconds = numberAt(request, 'spec.expirationSeconds', -1);
  return seconds < 0 ? NONE : humanDuration(seconds * 1_000);
}

function condition(request: JsonObject): string {
  const types = new Set(listAt(request, 'status.conditions').map((one) => textAt(one, 'type')));
  const decided = ['Denied', 'Approved'].find((type) => types.has(type)) ?? 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decided}${failed}${textAt(request, 'status.certificate') === '' ? '' : ',Issued'}`;
}
