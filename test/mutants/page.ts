import { JUDGED, type Survivors } from './survivors/index.ts';

/** docs/mutants.md. */
export function pageOf(survivors: readonly Survivors[]): string {
  const rows = survivors.flatMap(({ why, mutants }) =>
    mutants.map((id) => {
      const [file = '', ...change] = id.split(' ');
      return `| \`${file}\` | ${code(change.join(' '))} | ${why} |`;
    }),
  );
  return `${HEAD}\n${rows.sort().join('\n')}\n\nEvery survivor of these files was looked at: ${JUDGED.map((file) => `\`${file}\``).join(', ')}. One that has changed since is tried anew by the next run. Of every other file the command lists what survives, and fails; nobody has looked at those yet.\n`;
}

/** As code in a cell of a table, whatever it contains. */
function code(text: string): string {
  return `<code>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '&#124;')}</code>`;
}

const HEAD = `# Mutants that survive

\`npm run mutate\` changes each condition and each ordering of \`lib/store\` and \`lib/watch\`, one at a time ([how](../test/mutants/README.md)). This page lists the changes that neither the simulation nor the tests find out, and says why each of them is no fault. The command fails where a change survives that is not listed here, and where a listed one is found out; \`npm test\` fails where a listed one does not exist any more.

The page is made by \`npm run mutate -- --page\` from \`test/mutants/survivors/\`. A change is told as: function, kind of change, what is changed.

| file | change | why it is no fault |
|---|---|---|`;
