import { Fault } from './fault.ts';

const INSTALL = 'Install it (for aws: the AWS CLI), or correct the exec entry in the kubeconfig';
/** The error for a command of an exec entry that returned no token. */
export function explainLogin(error: unknown, command: string): Fault {
  const { code, message } = error as Error & { code?: string };
  if (code === 'ENOENT') {
    return new Fault({ what: `the login command ${command} was not found`, advice: INSTALL });
  }
  return new Fault({
    what: `the login command ${command} failed: ${message.trim()}`,
    advice: 'Run it by hand. Check that AWS credentials exist and are valid: aws sts get-caller-identity',
    runbook: 'logging-in-does-not-work',
  });
}
