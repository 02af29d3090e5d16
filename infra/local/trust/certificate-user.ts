import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { Identity } from '../../../lib/login/index.ts';

/**
 * The user of a client certificate that TLS has verified, as kube-apiserver reads it: the common name is the username,
 * and each organization is a group. Undefined if the client sent none, if it is not valid for clients, or if it names no
 * user.
 *
 * @see k8s.io/apiserver/pkg/authentication/request/x509
 */
export function certificateUser(socket: Socket): Identity | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject, raw, valid_to: ends }: Partial<PeerCertificate> = socket.getPeerCertificate();
  const { CN: username, O: groups = [] } = { ...subject } as Readonly<Record<string, string | string[]>>;
  if (typeof username !== 'string' || username === '' || raw === undefined) return undefined;
  const digest = createHash('sha256').update(raw).digest('hex');
  return {
    username,
    groups: [groups].flat(),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
    ...(ends !== undefined && { expires: Date.parse(ends) }),
  };
}
