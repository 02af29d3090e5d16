import { type Command, InvalidArgumentError } from 'commander';

export interface StartOptions {
  readonly port: number;
  readonly kubeconfig: string;
  readonly data?: string;
}

export function addStart(program: Command): void {
  program
    .command('start')
    .description('keep Winnow running on this machine, on embedded DynamoDB and SQS')
    .option('--port <number>', 'where the API listens, on loopback; 0 takes a free one', parsePort, 8080)
    .option('--kubeconfig <file>', 'where to write a kubeconfig for it', '.winnow/kubeconfig')
    .option('--data <folder>', 'keep the table there; without it everything goes when Winnow stops')
    .action(async (options: StartOptions) => {
      const { start } = await import('./start.ts');
      await start(options);
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('That is not a port.');
  return port;
}
