import type { AuditorOptions } from './auditing/index.ts';
import type { Auditing } from './http/index.ts';

/**
 * The writer of the audit log. It loads with the first request, and only where there is an audit policy.
 *
 * @param text the policy, `audit.k8s.io/v1`, as JSON. If it is invalid, every request fails
 */
export function openAuditing(text: string, options: Omit<AuditorOptions, 'policy'>): () => Promise<Auditing> {
  let opened: Promise<Auditing> | undefined;
  return () => {
    opened ??= open(text, options);
    return opened;
  };
}

async function open(text: string, options: Omit<AuditorOptions, 'policy'>): Promise<Auditing> {
  const [{ Auditor }, { parsePolicy }] = await Promise.all([
    import('./auditing/index.ts'),
    import('../kubernetes/audit/index.ts'),
  ]);
  return new Auditor({ ...options, policy: parsePolicy(JSON.parse(text)) });
}
