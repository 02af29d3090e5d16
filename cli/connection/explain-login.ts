import { Fault } from './fault.ts';

const INSTALL = 'Install it (the AWS CLI for aws), or mend the exec entry in the kubeconfig';

/** Says in words why the command of an exec entry gave no token. */
export function explainLogin(error: unknown, command: string): Fault {
  const { code, message } = error as Error & { code?: string };
  if (code === 'ENOENT') return new Fault({ what: `there is no ${command}, which logs in`, advice: INSTALL });
  return new Fault({
    what: `${command}, which logs in, failed: ${message.trim()}`,
    advice: 'Run it by hand. Are there AWS credentials ("aws sts get-caller-identity"), and not expired?',
    runbook: 'logging-in-does-not-work',
  });
}
