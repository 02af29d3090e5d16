import { FIRST_COMMANDS, type FirstCommand } from './commands.ts';

/** The table of the commands in docs/clients.md. */
export function firstCommandsTable(): string {
  const rows = FIRST_COMMANDS.map((one, at) => `| ${at + 1} | \`${one.command}\` | ${outcomeOf(one)} |`);
  return ['| | command | |', '|---|---|---|', ...rows].join('\n');
}

function outcomeOf({ isRefused, since }: FirstCommand): string {
  const outcome = isRefused ? 'refused' : 'works';
  return since === undefined ? outcome : `${outcome}, from kubectl 1.${since} on`;
}
