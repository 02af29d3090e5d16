import type { AuditorOptions } from './auditing/index.ts';
import type { Auditing } from './http/index.ts';

/**
 * Who writes down what an audit policy asks for. Loaded when the first request comes, where there is a policy alone.
 *
 * @param text the policy, `audit.k8s.io/v1`, as JSON. Where it is none, no request is answered
 */
export function openAuditing(text: string, options: Omit<AuditorOptions, 'policy'>): () => Promise<Auditing> {
  let opened: Promise<Auditing> | undefined;
  return () => {
    opened ??= open(text, options);
    return opened;
  };
}

async function open(text: string, options: Omit<AuditorOptions, 'policy'>): Promise<Auditing> {
  const { Auditor, parsePolicy } = await import('./auditing/index.ts');
  return new Auditor({ ...options, policy: parsePolicy(JSON.parse(text)) });
}
