import { basename, dirname } from 'node:path';
import { JUDGED, type Survivors } from './survivors/index.ts';

/** docs/mutants.md. */
export function pageOf(survivors: readonly Survivors[]): string {
  const rows = survivors.flatMap(({ why, mutants }) =>
    mutants.map((id) => {
      const [file = '', ...change] = id.split(' ');
      return `| \`${file}\` | ${code(change.join(' '))} | ${why} |`;
    }),
  );
  return `${HEAD}\n${rows.sort().join('\n')}\n\n${FOOT}\n\n${judgedByFolder().join('\n')}\n`;
}

/** A row for each folder, with the names of its files. */
function judgedByFolder(): string[] {
  const folders = Object.entries(Object.groupBy(JUDGED, (file) => dirname(file)));
  return folders.map(([folder, files = []]) => {
    const names = files.map((file) => `\`${basename(file)}\``);
    return `- \`${folder}\`: ${names.join(', ')}`;
  });
}

/** As code in a cell of a table, whatever it contains. */
function code(text: string): string {
  return `<code>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '&#124;')}</code>`;
}

const HEAD = `# Mutants that survive

\`npm run mutate\` changes each condition and each ordering of \`lib/json\`, \`lib/kubernetes/lifecycle\`, \`lib/kubernetes/winnow\`, \`lib/store\`, \`lib/coordination\`, \`lib/delivery\` and \`lib/controllers\`, one at a time ([how](../test/mutants/README.md)). This page lists the changes that neither the simulation nor the tests find out, and says why each of them is no fault. The command fails where a change survives that is not listed here, and where a listed one is found out; \`npm test\` fails where a listed one does not exist any more.

The page is made by \`npm run mutate -- --page\` from \`test/mutants/survivors/\`. A change is told as: function, kind of change, what is changed.

| file | change | why it is no fault |
|---|---|---|`;

const FOOT = `Every survivor of these ${JUDGED.length} files was looked at. A file that has changed since is tried anew by the next run; files without a condition or an ordering are not among them. Where a file is not among them that has some, nobody has looked at it yet: the command names it, and fails where something of it survives.`;
